import { randomBytes } from 'node:crypto'
import type { Exercise, TestedServer } from '../exercise.ts'
import { type Message, messageOf, type Noted, type Signing, sealed, withFields } from '../message.ts'
import { cards } from './cards.ts'

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

/** Of another merchant: it signs well, with keys that are not this merchant's. */
function stranger(): Signing {
  return {
    signer: { kind: 'md5', key: randomBytes(16).toString('hex') },
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
  }
}

/** The body of the changed one with both signatures of the true one. */
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
