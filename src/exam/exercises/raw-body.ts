import { makeId, merNoOf } from '../../base/id.ts'
import { signFields } from '../../merchants/sign-fields.ts'
import type { Fields } from '../../notifications/notification.ts'
import type { Exercise, TestedServer } from '../exercise.ts'
import { type Noted, sealed } from '../message.ts'
import { cards } from './cards.ts'

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

/** Unicode and slashes, and a field that did not exist when the shop was written. */
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

/** Under a new id, so that it is not taken for one that was processed. */
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
