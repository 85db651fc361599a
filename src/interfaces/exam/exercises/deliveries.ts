// Exercises about the way a notification arrives: repeated, too late, slowly, cut off or out of order.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Exercise } from '../exercise.ts'
import { type Message, messageOf } from '../message.ts'
import { cards } from '../orders.ts'

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

/** The real schedule waits a minute before the second delivery. */
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

/** The real schedule waits one minute, then two. */
const RETRIES_AFTER_MS = [250, 500]

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
      for (const waitMs of RETRIES_AFTER_MS) {
        await server.send('half a body', halfOf(message), 'any')
        await sleep(waitMs)
      }
      await server.deliver('the whole body', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

/** `content-length` still announces the whole body. */
function halfOf(message: Message): Message {
  return { ...message, body: message.body.slice(0, message.body.length / 2) }
}

export const outOfOrder: Exercise = {
  name: 'out-of-order',
  title: "The refund's result arrives before the payment's",
  teaches:
    'First deliveries keep the order of events; repeated ones do not. A refund tells that the order was paid, and the older result must not undo it.',
  todo: 'Accept a refund of an order whose payment you have not seen yet. If in doubt, ask by /order/query instead of counting on the order of arrival.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const paid = await orders.notified(order, 'payment')
    await orders.refund(order)
    const refunded = await orders.notified(order, 'refund')
    return async (server) => {
      await server.deliver("the refund's result", refunded)
      await server.deliver("the payment's result", paid)
      await server.expect(order, { state: 'refunded' })
    }
  },
}

export const late: Exercise = {
  name: 'late',
  title: 'An old result arrives again after a newer one',
  teaches:
    "The payment's result may be repeated hours later, when the order is refunded already. Acknowledge it, and leave the order as it is.",
  todo: 'Never set an order back: a result that you have seen, or that is older than what you know, is acknowledged and changes nothing.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const paid = await orders.notified(order, 'payment')
    await orders.refund(order)
    const refunded = await orders.notified(order, 'refund')
    return async (server) => {
      await server.deliver("the payment's result", paid)
      await server.deliver("the refund's result", refunded)
      await server.deliver("the payment's result again", paid)
      await server.expect(order, { state: 'refunded', credits: 1 })
    }
  },
}
