// Exercises about signatures: the shop must refuse forged notifications, and accept valid notifications in any form.
import { randomBytes } from 'node:crypto'
import { signFields } from '../../money/merchants/sign-fields.ts'
import type { Fields } from '../../money/notifications/notification.ts'
import { makeId, merNoOf } from '../../platform/base/id.ts'
import type { Exercise, TestedServer } from './exercise.ts'
import { type Message, messageOf, type Noted, type Signing, sealed, withFields } from './message.ts'
import { cards } from './orders.ts'

export const forged: Exercise = {
  name: 'forged',
  title: 'Somebody else sends notifications',
  teaches:
    'Your address is no secret. Only a valid signature shows that a notification is from the gateway: refuse everything else, and change nothing.',
  todo: 'Verify sign, or webhook-signature, over what arrived before you read anything else from it, and answer 400 if it does not match.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.declined)
    const declined = await orders.notified(order, 'payment')
    const other = await orders.payByCard(cards.good)
    const paid = await orders.notified(other, 'payment')
    await orders.refund(other)
    const refunded = await orders.notified(other, 'refund')
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

/** Random keys, as of another merchant. Their signatures are well-formed, but wrong for this merchant. */
function stranger(): Signing {
  return {
    signer: { kind: 'md5', key: randomBytes(16).toString('hex') },
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
  }
}

/** A shop that forgot to set its key may verify with an empty key, and then anybody can sign. */
const nobody: Signing = { signer: { kind: 'md5', key: '' }, webhookSecret: 'whsec_' }

/** Returns the changed message with both signatures of the unchanged message. */
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

/** Other spellings of the same fields, as other programs and later versions may write them. */
const forms: Readonly<Record<string, Write>> = {
  'a form in another order': (fields) => formOf(fields.toReversed(), encodeURIComponent),
  'a form with every character escaped': (fields) => formOf(fields, everyByte),
}

const jsons: Readonly<Record<string, Write>> = {
  'JSON in another order': (fields) => JSON.stringify(Object.fromEntries(fields.toReversed())),
  'JSON with spaces and lines': (fields) => JSON.stringify(Object.fromEntries(fields), undefined, 2),
  'JSON with escaped slashes and letters': (fields) => escaped(JSON.stringify(Object.fromEntries(fields))),
}

/** The values contain Unicode and slashes. `addedLater` is a field that the shop does not know. */
const more = { message: 'Zahlung erhalten / 已支付 ✓', addedLater: 'a/b é' }

export const rawBody: Exercise = {
  name: 'raw-body',
  title: 'The same fields, written in another way',
  teaches:
    'The header signature covers the bytes of the body; sign covers the values of all fields, also of those that you do not know. A body that was parsed and written again has other bytes.',
  todo: 'Verify the raw body as it arrived, before any parser, and include every field in sign, known or not.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const paid = await orders.notified(order, 'payment')
    await orders.refund(order)
    const refunded = await orders.notified(order, 'refund')
    return async (server) => {
      for (const [title, write] of Object.entries(forms)) await send(server, paid, title, write)
      for (const [title, write] of Object.entries(jsons)) await send(server, refunded, title, write)
      await server.expect(order, { state: 'refunded' })
    }
  },
}

/** Sends the fields under a new id, so that the shop does not take them for a notification that it has processed. */
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
