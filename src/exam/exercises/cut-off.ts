import { setTimeout as sleep } from 'node:timers/promises'
import type { Exercise } from '../exercise.ts'
import { type Message, messageOf } from '../message.ts'
import { cards } from './cards.ts'

/** The waits of the real schedule are a minute and two. */
const RETRY_AFTER_MS = [250, 500]

export const cutOff: Exercise = {
  name: 'cut-off',
  title: 'The connection breaks in the middle of the body',
  teaches:
    'A delivery may fail half-way. Ignore a body that is not complete, keep serving, and acknowledge the delivery that follows.',
  todo: 'Handle errors while you read the body: they must not stop your server, and half a body must not be processed.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      const message = await messageOf(notified, server.signing, server.now())
      for (const waitMs of RETRY_AFTER_MS) {
        await server.send('half a body', halfOf(message), 'any')
        await sleep(waitMs)
      }
      await server.deliver('the whole body', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

/** The head announces the whole body. */
function halfOf(message: Message): Message {
  return { ...message, body: message.body.slice(0, message.body.length / 2) }
}
