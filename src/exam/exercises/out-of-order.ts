import type { Exercise } from '../exercise.ts'
import { cards } from './cards.ts'

export const outOfOrder: Exercise = {
  name: 'out-of-order',
  title: "The refund's result arrives before the payment's",
  teaches:
    'First deliveries keep the order of events; repeated ones do not. A refund tells that the order was paid, and the older result must not undo it.',
  todo: 'Accept a refund of an order whose payment you have not seen yet. If in doubt, ask by /order/query instead of counting on the order of arrival.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const paid = await orders.notified(order, 'payment')
    await orders.refund(order)
    const refunded = await orders.notified(order, 'refund')
    return async (server) => {
      await server.deliver("the refund's result", refunded)
      await server.deliver("the payment's result", paid)
      await server.expect(order, { state: 'refunded' })
    }
  },
}
