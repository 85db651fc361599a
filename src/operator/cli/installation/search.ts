import { rebuildIndex } from '../../../money/order-queries/search/index-orders.ts'
import type { Command } from '../command.ts'

const rebuild: Command = {
  name: 'search rebuild',
  summary: 'Empty the search, the counts and the milestones of orders, and let the gateway build them anew',
  audit: () => ({ merNo: 0, subject: 'orders' }),
  options: {},
  async run({ tools }) {
    await rebuildIndex(await tools.database(), tools.clock.now())
    return {
      json: { rebuilding: true },
      text: 'The running gateway builds the search anew. Searches find all orders when it is done.',
    }
  },
}

export const searchCommands: readonly Command[] = [rebuild]
