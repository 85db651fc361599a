import type { Exercise } from '../exercise.ts'
import { cards } from './cards.ts'

const todo =
  'Keep the order open until its result is notified, or ask by /order/query with its number. Never start a second payment instead.'

export const timedOutCharged: Exercise = {
  name: 'timed-out-charged',
  title: 'The bank does not answer, and has charged the card',
  teaches:
    'An unknown result is not a failed one: the notification that follows says that the order is paid.',
  todo,
  async prepare(orders) {
    const order = await orders.payByCard(cards.timesOutCharged)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('the truth: paid', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

export const timedOutNotCharged: Exercise = {
  name: 'timed-out-not-charged',
  title: 'The bank does not answer, and has not charged the card',
  teaches:
    'An unknown result is not a paid one either: the notification that follows says that the order failed.',
  todo,
  async prepare(orders) {
    const order = await orders.payByCard(cards.timesOutNotCharged)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('the truth: failed', notified)
      await server.expect(order, { state: 'failed', credits: 0 })
    }
  },
}
