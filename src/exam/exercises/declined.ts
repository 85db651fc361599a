import type { Exercise } from '../exercise.ts'
import { cards } from './cards.ts'

export const declined: Exercise = {
  name: 'declined',
  title: 'A card is declined',
  teaches:
    'Failed payments are notified too, with a code other than 0. Acknowledge them, and send nothing out.',
  todo: 'Look at code: only 0 means paid. Acknowledge every result that you have stored, also a failed one.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.declined)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('the result', notified)
      await server.expect(order, { state: 'failed', credits: 0 })
    }
  },
}
