import type { Exercise } from '../exercise.ts'
import { cards } from './cards.ts'

const AT_ONCE = 5

export const repeated: Exercise = {
  name: 'repeated',
  title: 'The same notification arrives seven times',
  teaches:
    'A notification may come again: after a lost answer, or because somebody sent it again. Acknowledge each delivery, and credit the order once.',
  todo: 'Store webhook-id, or the order with its state, under a unique key in the transaction that credits the order. Acknowledge what you have already processed.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('first delivery', notified)
      await server.deliver('second delivery', notified)
      const titles = Array.from({ length: AT_ONCE }, (_, at) => `${at + 1} of ${AT_ONCE} at once`)
      await Promise.all(titles.map((title) => server.deliver(title, notified)))
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}
