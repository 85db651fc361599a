import type { Exercise } from '../exercise.ts'
import { cards } from './cards.ts'

export const paid: Exercise = {
  name: 'paid',
  title: 'An order is paid',
  teaches:
    'Answer 200 with the word SUCCESS and nothing else, within 15 seconds, once you have stored the result.',
  todo: 'Read the raw body, verify its signature, store the result, then answer 200 with the text SUCCESS. Work that takes longer belongs behind the answer.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('the result', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}
