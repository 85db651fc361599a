// The operator settles everything that is due by a future day, so that merchants have money for payouts and refunds.
import type { Operation } from '../operation.ts'
import { command } from './command.ts'

const DAY_MS = 86_400_000

export const settleDue: Operation = {
  name: 'settle',
  weight: 7,
  async run(actor) {
    // In the simulation, margins are due after 180 days. A settlement as of 200 days later also releases them.
    const days = actor.random.chance(0.1) ? 200 : 3
    const asOf = new Date(Date.now() + days * DAY_MS).toISOString()
    await command(actor, this.name, 'settlement', 'settle', '--as-of', asOf)
  },
}
