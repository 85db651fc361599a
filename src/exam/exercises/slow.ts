import type { Exercise } from '../exercise.ts'
import { cards } from './cards.ts'

export const slow: Exercise = {
  name: 'slow',
  title: 'The body arrives slowly, in pieces',
  teaches:
    'On a slow network a body comes in several pieces. Read it to its end before you verify and acknowledge it.',
  todo: 'Collect the body until its end, as long as the connection is open. Do not take the first piece for the whole body, and do not give up after a second or two.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('in pieces', notified, 'slow')
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}
