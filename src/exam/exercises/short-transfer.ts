import type { Exercise } from '../exercise.ts'
import { NotPossible } from '../not-possible.ts'

export const shortTransfer: Exercise = {
  name: 'short-transfer',
  title: 'A payer transfers too little, and then the rest',
  teaches:
    'While money is missing the order is open and nothing is notified. The result follows with the transfer that completes it.',
  todo: 'Credit a transfer when its notification says 0, never when the payer returns or says that it was sent.',
  async prepare(orders) {
    const order = await orders.payByTransfer()
    await orders.transfer(order, '4.00')
    await orders.received(order)
    if ((await orders.countNotified(order)) > 0)
      throw new NotPossible('The order was decided before all of its money arrived.')
    return async (server) => {
      await server.expect(order, { state: 'open', credits: 0 })
      await orders.transfer(order, '6.00')
      const notified = await orders.notified(order, 'payment')
      await server.deliver('the result', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}
