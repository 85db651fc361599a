// An operator's work for a merchant who asks about an order.
import type { Operation } from '../operation.ts'
import { command } from './command.ts'

export const explainOrder: Operation = {
  name: 'explain an order',
  weight: 1,
  async run(actor) {
    const order = actor.random.pick(actor.world.witness.recentOf(actor.shop))
    if (order?.tradeNo !== undefined) await command(actor, this.name, order.number, 'explain', order.tradeNo)
  },
}

export const resendNotifications: Operation = {
  name: 'resend notifications',
  weight: 1,
  async run(actor) {
    const order = actor.random.pick(actor.world.witness.recentOf(actor.shop))
    if (order?.tradeNo === undefined) return
    await command(actor, this.name, order.number, 'notify', 'resend', '--trade-no', order.tradeNo)
  },
}
