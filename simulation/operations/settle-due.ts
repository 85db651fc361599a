// The operator settles everything that is due by a day to come, so that merchants have money to pay out and refund from.
import type { Operation } from '../operation.ts'
import { command } from './command.ts'

const DAY_MS = 86_400_000

export const settleDue: Operation = {
  name: 'settle',
  weight: 7,
  async run(actor) {
    // The margin is released after 180 days.
    const days = actor.random.chance(0.1) ? 200 : 3
    const asOf = new Date(Date.now() + days * DAY_MS).toISOString()
    await command(actor, this.name, 'settlement', 'settle', '--as-of', asOf)
  },
}
