import type { Exercise } from '../exercise.ts'
import { cards } from './cards.ts'

export const chargeback: Exercise = {
  name: 'chargeback',
  title: "The payer's bank takes a payment back",
  teaches: 'Weeks after the payment a chargeback may open. It comes as JSON, to the address for chargebacks.',
  todo: 'Handle the event chargeback: stop the delivery, and answer the dispute in time. Send protestNotifyUrl with your orders, or set an address for chargebacks.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const paid = await orders.notified(order, 'payment')
    await orders.dispute(order)
    const opened = await orders.notified(order, 'chargeback')
    return async (server) => {
      await server.deliver('paid', paid)
      await server.deliver('the chargeback opens', opened)
      await server.expect(order, { state: 'charged-back', credits: 1 })
    }
  },
}
