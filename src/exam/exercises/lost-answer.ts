import { setTimeout as sleep } from 'node:timers/promises'
import type { Exercise } from '../exercise.ts'
import { messageOf } from '../message.ts'
import { cards } from './cards.ts'

/** In place of the minute of the real schedule. */
const RETRY_AFTER_MS = 500

export const lostAnswer: Exercise = {
  name: 'lost-answer',
  title: 'Your answer comes too late, and the notification is sent again',
  teaches:
    'An answer after the time limit is lost, and the notification comes again, perhaps while you still work on the first delivery. Acknowledge the second one, and credit the order once.',
  todo: 'Lock the order, or use a unique key, while you process a notification, so that two deliveries at the same time credit it once and both are acknowledged.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      const message = await messageOf(notified, server.signing, server.now())
      await server.send('nobody waits for the answer', message, 'any')
      await sleep(RETRY_AFTER_MS)
      await server.deliver('sent again', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}
