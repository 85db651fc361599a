import type { Exercise } from '../exercise.ts'
import { AMOUNT } from '../orders.ts'

export const lateTransfer: Exercise = {
  name: 'late-transfer',
  title: 'The money arrives after the order was cancelled',
  teaches:
    'A transfer may come when its order has already failed. If an operator accepts it, a second result says that the order is paid after all.',
  todo: 'Let a failed order become paid when a later result says so, and credit it then.',
  async prepare(orders) {
    const order = await orders.payByTransfer()
    await orders.cancel(order)
    const cancelled = await orders.notified(order, 'payment')
    await orders.transfer(order, AMOUNT)
    await orders.acceptLate(order)
    const paid = await orders.notified(order, 'payment', 1)
    return async (server) => {
      await server.deliver('cancelled', cancelled)
      await server.expect(order, { state: 'failed', credits: 0 })
      await server.deliver('paid after all', paid)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}
