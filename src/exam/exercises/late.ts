import type { Exercise } from '../exercise.ts'
import { cards } from './cards.ts'

export const late: Exercise = {
  name: 'late',
  title: 'An old result arrives again after a newer one',
  teaches:
    "The payment's result may be repeated hours later, when the order is refunded already. Acknowledge it, and leave the order as it is.",
  todo: 'Never set an order back: a result that you have seen, or that is older than what you know, is acknowledged and changes nothing.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const paid = await orders.notified(order, 'payment')
    await orders.refund(order)
    const refunded = await orders.notified(order, 'refund')
    return async (server) => {
      await server.deliver("the payment's result", paid)
      await server.deliver("the refund's result", refunded)
      await server.deliver("the payment's result again", paid)
      await server.expect(order, { state: 'refunded', credits: 1 })
    }
  },
}
