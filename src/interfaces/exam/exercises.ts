// The exercises of an exam: about results, about the ways in which a notification can arrive, and about signatures.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signFields } from '../../money/merchants/sign-fields.ts'
import type { Fields } from '../../money/notifications/notification.ts'
import { makeId, merNoOf } from '../../platform/base/id.ts'
import type { Exercise, Expected, TestedServer } from './exercise.ts'
import { type Message, messageOf, type Noted, type Signing, sealed, withFields } from './message.ts'
import { AMOUNT, cards, type ExamOrders, NotPossible } from './orders.ts'

async function notifiedOf(orders: ExamOrders, card: string) {
  const order = await orders.payByCard(card)
  return { order, notified: await orders.notified(order, 'payment') }
}

async function refundedOrder(orders: ExamOrders) {
  const { order, notified: paid } = await notifiedOf(orders, cards.good)
  await orders.refund(order)
  return { order, paid, refunded: await orders.notified(order, 'refund') }
}

function oneResult(title: string, card: string, expected: Expected): Exercise['prepare'] {
  return async (orders) => {
    const { order, notified } = await notifiedOf(orders, card)
    return async (server) => {
      await server.deliver(title, notified)
      await server.expect(order, expected)
    }
  }
}

const paid: Exercise = {
  name: 'paid',
  title: 'An order is paid',
  teaches:
    'Answer 200 with the word SUCCESS and nothing else, within 15 seconds, once you have stored the result.',
  todo: 'Read the raw body, verify its signature, store the result, then answer 200 with the text SUCCESS. Work that takes longer belongs behind the answer.',
  prepare: oneResult('the result', cards.good, { state: 'paid', credits: 1 }),
}

const declined: Exercise = {
  name: 'declined',
  title: 'A card is declined',
  teaches:
    'Failed payments are notified too, with a code other than 0. Acknowledge them, and send nothing out.',
  todo: 'Look at code: only 0 means paid. Acknowledge every result that you have stored, also a failed one.',
  prepare: oneResult('the result', cards.declined, { state: 'failed', credits: 0 }),
}

/** An amount that differs from `AMOUNT`, the price of the exam's orders. */
const OTHER_AMOUNT = '1.00'

const otherAmount: Exercise = {
  name: 'other-amount',
  title: 'A payment has a different amount from your order',
  teaches:
    'A genuine result may be about less money than your order costs, if somebody could change the amount before the payment was made. Acknowledge it, and do not credit the order.',
  todo: 'Compare currencyCode and sourceAmount with your order before you credit it. If they are missing, switch on amounts in notifications, or ask by /order/query.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good, OTHER_AMOUNT)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver(`${OTHER_AMOUNT} paid of ${AMOUNT}`, notified)
      await server.expect(order, { state: 'unpaid', credits: 0 })
    }
  },
}

const todo =
  'Keep the order open until its result is notified, or ask by /order/query with its number. Never start a second payment instead.'

const timedOutCharged: Exercise = {
  name: 'timed-out-charged',
  title: 'The bank does not answer, and has charged the card',
  teaches:
    'An unknown result is not a failed one: the notification that follows says that the order is paid.',
  todo,
  prepare: oneResult('the truth: paid', cards.timesOutCharged, { state: 'paid', credits: 1 }),
}

const timedOutNotCharged: Exercise = {
  name: 'timed-out-not-charged',
  title: 'The bank does not answer, and has not charged the card',
  teaches:
    'An unknown result is not a paid one either: the notification that follows says that the order failed.',
  todo,
  prepare: oneResult('the truth: failed', cards.timesOutNotCharged, { state: 'failed', credits: 0 }),
}

const shortTransfer: Exercise = {
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

const lateTransfer: Exercise = {
  name: 'late-transfer',
  title: 'The money arrives after the order was cancelled',
  teaches:
    'A transfer may come when its order has already failed. If an operator accepts it, a second result says that the order is paid after all.',
  todo: 'Let a failed order become paid when a later result says so, and credit it then.',
  async prepare(orders) {
    const order = await orders.payByTransfer()
    await orders.cancel(order)
    const cancelled = await orders.notified(order, 'payment')
    await orders.transfer(order, AMOUNT)
    await orders.acceptLate(order)
    const paid = await orders.notified(order, 'payment', 1)
    return async (server) => {
      await server.deliver('cancelled', cancelled)
      await server.expect(order, { state: 'failed', credits: 0 })
      await server.deliver('paid after all', paid)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

const chargeback: Exercise = {
  name: 'chargeback',
  title: "The payer's bank takes a payment back",
  teaches: 'Weeks after the payment a chargeback may open. It comes as JSON, to the address for chargebacks.',
  todo: 'Handle the event chargeback: stop the delivery, and answer the dispute in time. Send protestNotifyUrl with your orders, or set an address for chargebacks.',
  async prepare(orders) {
    const { order, notified: paid } = await notifiedOf(orders, cards.good)
    await orders.dispute(order)
    const opened = await orders.notified(order, 'chargeback')
    return async (server) => {
      await server.deliver('paid', paid)
      await server.deliver('the chargeback opens', opened)
      await server.expect(order, { state: 'charged-back', credits: 1 })
    }
  },
}

const AT_ONCE = 5

const repeated: Exercise = {
  name: 'repeated',
  title: 'The same notification arrives seven times',
  teaches:
    'A notification may come again: after a lost answer, or because somebody sent it again. Acknowledge each delivery, and credit the order once.',
  todo: 'Store webhook-id, or the order with its state, under a unique key in the transaction that credits the order. Acknowledge what you have already processed.',
  async prepare(orders) {
    const { order, notified } = await notifiedOf(orders, cards.good)
    return async (server) => {
      await server.deliver('first delivery', notified)
      await server.deliver('second delivery', notified)
      const titles = Array.from({ length: AT_ONCE }, (_, at) => `${at + 1} of ${AT_ONCE} at once`)
      await Promise.all(titles.map((title) => server.deliver(title, notified)))
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

/** The pause before the second delivery. The real schedule waits a minute. */
const RETRY_AFTER_MS = 500

const lostAnswer: Exercise = {
  name: 'lost-answer',
  title: 'Your answer comes too late, and the notification is sent again',
  teaches:
    'An answer after the time limit is lost, and the notification comes again, perhaps while you still work on the first delivery. Acknowledge the second one, and credit the order once.',
  todo: 'Lock the order, or use a unique key, while you process a notification, so that two deliveries at the same time credit it once and both are acknowledged.',
  async prepare(orders) {
    const { order, notified } = await notifiedOf(orders, cards.good)
    return async (server) => {
      const message = await messageOf(notified, server.signing, server.now())
      await server.send('nobody waits for the answer', message, 'any')
      await sleep(RETRY_AFTER_MS)
      await server.deliver('sent again', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

const slow: Exercise = {
  name: 'slow',
  title: 'The body arrives slowly, in pieces',
  teaches:
    'On a slow network a body comes in several pieces. Read it to its end before you verify and acknowledge it.',
  todo: 'Collect the body until its end, as long as the connection is open. Do not take the first piece for the whole body, and do not give up after a second or two.',
  async prepare(orders) {
    const { order, notified } = await notifiedOf(orders, cards.good)
    return async (server) => {
      await server.deliver('in pieces', notified, 'slow')
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

/** The pauses after the broken deliveries. The real schedule waits one minute, then two. */
const RETRIES_AFTER_MS = [250, 500]

const cutOff: Exercise = {
  name: 'cut-off',
  title: 'The connection breaks in the middle of the body',
  teaches:
    'A delivery may fail half-way. Ignore a body that is not complete, keep serving, and acknowledge the delivery that follows.',
  todo: 'Handle errors while you read the body: they must not stop your server, and half a body must not be processed.',
  async prepare(orders) {
    const { order, notified } = await notifiedOf(orders, cards.good)
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

/** Returns the message with only half of its body. `content-length` is still the length of the whole body. */
function halfOf(message: Message): Message {
  return { ...message, body: message.body.slice(0, message.body.length / 2) }
}

const outOfOrder: Exercise = {
  name: 'out-of-order',
  title: "The refund's result arrives before the payment's",
  teaches:
    'First deliveries keep the order of events; repeated ones do not. A refund tells that the order was paid, and the older result must not undo it.',
  todo: 'Accept a refund of an order whose payment you have not seen yet. If in doubt, ask by /order/query instead of counting on the order of arrival.',
  async prepare(orders) {
    const { order, paid, refunded } = await refundedOrder(orders)
    return async (server) => {
      await server.deliver("the refund's result", refunded)
      await server.deliver("the payment's result", paid)
      await server.expect(order, { state: 'refunded' })
    }
  },
}

const late: Exercise = {
  name: 'late',
  title: 'An old result arrives again after a newer one',
  teaches:
    "The payment's result may be repeated hours later, when the order is refunded already. Acknowledge it, and leave the order as it is.",
  todo: 'Never set an order back: a result that you have seen, or that is older than what you know, is acknowledged and changes nothing.',
  async prepare(orders) {
    const { order, paid, refunded } = await refundedOrder(orders)
    return async (server) => {
      await server.deliver("the payment's result", paid)
      await server.deliver("the refund's result", refunded)
      await server.deliver("the payment's result again", paid)
      await server.expect(order, { state: 'refunded', credits: 1 })
    }
  },
}

const forged: Exercise = {
  name: 'forged',
  title: 'Somebody else sends notifications',
  teaches:
    'Your address is no secret. Only a valid signature shows that a notification is from the gateway: refuse everything else, and change nothing.',
  todo: 'Verify sign, or webhook-signature, over what arrived before you read anything else from it, and answer 400 if it does not match.',
  async prepare(orders) {
    const { order, notified: declined } = await notifiedOf(orders, cards.declined)
    const { paid, refunded } = await refundedOrder(orders)
    return async (server) => {
      const own = (noted: Noted) => messageOf(noted, server.signing, server.now())
      await server.deliver('the true result: declined', declined)
      const asPaid = withFields(declined, { code: '0' })
      const { tradeNo = '', merOrderNo = '' } = declined.fields
      const forOther = withFields(paid, { tradeNo, merOrderNo })
      const moreBack = withFields(refunded, { refundAmount: '9999.00' })
      const refuse = (title: string, message: Message) => server.send(title, message, 'refused')
      await refuse('declined made paid, with the old signature', kept(await own(declined), await own(asPaid)))
      await refuse('signed with another key', await messageOf(asPaid, stranger(), server.now()))
      await refuse('signed with an empty key', await messageOf(asPaid, nobody, server.now()))
      await refuse('a true payment, replayed for another order', kept(await own(paid), await own(forOther)))
      await refuse(
        'an amount changed, with the old signature',
        kept(await own(refunded), await own(moreBack)),
      )
      await refuse('without a signature', unsigned(asPaid, server))
      await server.expect(order, { state: 'failed', credits: 0 })
    }
  },
}

/** Makes random keys, like those of another merchant. Their signatures are well-formed, but wrong for this merchant. */
function stranger(): Signing {
  return {
    signer: { kind: 'md5', key: randomBytes(16).toString('hex') },
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
  }
}

/** Empty keys. If a shop forgot to set its key, its program may verify with an empty key. Anybody could then sign. */
const nobody: Signing = { signer: { kind: 'md5', key: '' }, webhookSecret: 'whsec_' }

/** Returns the changed message with both signatures of the original message. */
function kept(truth: Message, changed: Message): Message {
  const body = withSign(changed.body, signIn(truth.body))
  return { ...truth, headers: { ...truth.headers, 'content-length': String(Buffer.byteLength(body)) }, body }
}

const signs = /(?<=\bsign=|"sign":")[^&"]*/

function signIn(body: string): string {
  return signs.exec(body)?.[0] ?? ''
}

function withSign(body: string, sign: string): string {
  return body.replace(signs, () => sign)
}

function unsigned(noted: Noted, server: TestedServer): Message {
  const body = new URLSearchParams(
    Object.entries(noted.fields).map(([name, value]) => [name, String(value)]),
  ).toString()
  const { headers, ...message } = sealed(noted, body, stranger(), server.now())
  const { 'webhook-signature': _, ...others } = headers
  return { ...message, headers: others }
}

type Write = (fields: readonly (readonly [string, string | number])[]) => string

/** Other ways to write the same fields, which other programs and later versions of the gateway may use. */
const forms: Readonly<Record<string, Write>> = {
  'a form in another order': (fields) => formOf(fields.toReversed(), encodeURIComponent),
  'a form with every character escaped': (fields) => formOf(fields, everyByte),
}

const jsons: Readonly<Record<string, Write>> = {
  'JSON in another order': (fields) => JSON.stringify(Object.fromEntries(fields.toReversed())),
  'JSON with spaces and lines': (fields) => JSON.stringify(Object.fromEntries(fields), undefined, 2),
  'JSON with escaped slashes and letters': (fields) => escaped(JSON.stringify(Object.fromEntries(fields))),
}

/**
 * Fields that are added to every rewritten notification, with Unicode and slashes. The shop does not know the field
 * `addedLater`.
 */
const more = { message: 'Zahlung erhalten / 已支付 ✓', addedLater: 'a/b é' }

const rawBody: Exercise = {
  name: 'raw-body',
  title: 'The same fields, written in another way',
  teaches:
    'The header signature covers the bytes of the body; sign covers the values of all fields, also of those that you do not know. A body that was parsed and written again has other bytes.',
  todo: 'Verify the raw body as it arrived, before any parser, and include every field in sign, known or not.',
  async prepare(orders) {
    const { order, paid, refunded } = await refundedOrder(orders)
    return async (server) => {
      for (const [title, write] of Object.entries(forms)) await send(server, paid, title, write)
      for (const [title, write] of Object.entries(jsons)) await send(server, refunded, title, write)
      await server.expect(order, { state: 'refunded' })
    }
  },
}

/** Sends the fields with a new notification id, so that the shop does not take them for a repeated delivery. */
async function send(
  server: TestedServer,
  { notificationId: id, event, fields }: Noted,
  title: string,
  write: Write,
) {
  const changed: Fields = { ...fields, ...more }
  const sign = await signFields(event, changed, server.signing.signer)
  const notificationId = makeId('N', merNoOf(id) ?? 0, server.now())
  const body = write(Object.entries({ ...changed, sign }))
  await server.send(
    title,
    sealed({ notificationId, event }, body, server.signing, server.now()),
    'acknowledged',
  )
}

function formOf(fields: readonly (readonly [string, string | number])[], code: (text: string) => string) {
  return fields.map(([name, value]) => `${name}=${code(String(value))}`).join('&')
}

function everyByte(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function escaped(json: string): string {
  const letters = json.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return letters.replaceAll('/', '\\/')
}

/** The first exercise. If the server fails it, the other exercises are skipped. */
export const firstExercise: Exercise = paid

export const otherExercises: readonly Exercise[] = [
  repeated,
  lostAnswer,
  slow,
  cutOff,
  forged,
  rawBody,
  outOfOrder,
  late,
  declined,
  otherAmount,
  timedOutCharged,
  timedOutNotCharged,
  shortTransfer,
  lateTransfer,
  chargeback,
]
