// Notifications that receivers must refuse, each for one reason, and a few unusual ones that receivers must accept.
// Keys that a program must refuse.
import { createPrivateKey } from 'node:crypto'
import { type SignedEvent, type Signer, signFields } from '../../src/money/merchants/sign-fields.ts'
import type { NotificationEvent } from '../../src/money/notifications/notification.ts'
import { composeBody, headersOf } from '../../src/money/notifications/wire.ts'

export type Keys = {
  readonly merchantKey: string
  readonly merchantPrivateKey: string
  readonly merchantPublicKey: string
  readonly platformPrivateKey: string
  readonly platformPublicKey: string
  readonly webhookSecret: string
}

export type NotificationVector = {
  readonly name: string
  /** The kind of key that verifies `sign`. */
  readonly signedBy: 'md5' | 'rsa'
  /** The receiver's time, in seconds. */
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The event of the notification; null if a receiver must refuse the notification. */
  readonly event: string | null
}

/** A value that no program may accept as this key: its set-up must fail. */
export type UnusableKey = {
  readonly name: string
  readonly key: keyof Pick<Keys, 'merchantKey' | 'merchantPrivateKey' | 'platformPublicKey' | 'webhookSecret'>
  /** The value of the key; null if the key is not set. */
  readonly value: string | null
  /** A notification that a stranger signed with this value. Verifying it must fail because of the key. */
  readonly headers: NotificationVector['headers']
  readonly body: string
  readonly at: number
}

/** The time at which all notifications were sent, in seconds: 2026-11-16 12:00 UTC. */
export const AT = 1_794_830_400

const FAR_S = 361
const NEAR_S = 240

type Headers = Readonly<Record<string, string>>

export function webhookHeaders(event: NotificationEvent, body: string, { webhookSecret }: Keys): Headers {
  const all = headersOf({ notificationId: 'N1', event, body, webhookSecret, at: new Date(AT * 1000) })
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

const fields = {
  tradeNo: 'T0000000000000000000000000000001',
  merOrderNo: 'order-1',
  code: '1',
  message: 'Declined',
}
const refund = { tradeNo: fields.tradeNo, refundNo: 'R1', state: 1, message: 'Refused' }

export async function makeForgeries(keys: Keys): Promise<NotificationVector[]> {
  const own: Signer = { kind: 'md5', key: keys.merchantKey }
  const payment = await composeBody('payment', fields, own)
  const refused = await composeBody('refund', refund, own)
  const sign = String(new URLSearchParams(payment).get('sign'))
  const signedAs = async (event: SignedEvent, signer: Signer) => {
    const form = new URLSearchParams({ ...fields, sign: await signFields(event, fields, signer) })
    return form.toString()
  }
  const merchantRsa = { kind: 'rsa', key: createPrivateKey(keys.merchantPrivateKey) } as const
  const headers = webhookHeaders('payment', payment, keys)
  const genuine = { signedBy: 'md5', at: AT, headers, body: payment, event: null } as const
  /**
   * Makes a notification with another body under headers that are valid for it, so that only `sign` shows the forgery.
   */
  const altered = (name: string, body: string, event: NotificationEvent = 'payment'): NotificationVector => ({
    ...genuine,
    name: `forged: ${name}`,
    headers: webhookHeaders(event, body, keys),
    body,
  })
  const delivered = (name: string, changes: Partial<NotificationVector>): NotificationVector => ({
    ...genuine,
    name,
    ...changes,
  })
  const right = headers['webhook-signature'] ?? ''
  return [
    altered('another result', payment.replace('code=1', 'code=0')),
    altered('another field', `receiveAmount=99.00&${payment}`),
    altered('without sign', payment.replace(`&sign=${sign}`, '')),
    altered('an empty sign', payment.replace(sign, '')),
    altered('a sign in lower case', payment.replace(sign, sign.toLowerCase())),
    altered('the key of another merchant', await signedAs('payment', { kind: 'md5', key: 'another key' })),
    altered('the sign of a return to the shop', await signedAs('return', own)),
    altered('another state of a refund', refused.replace('"state":1', '"state":0'), 'refund'),
    altered('JSON that is cut off', refused.slice(0, -5), 'refund'),
    { ...altered('MD5 where RSA is expected', payment), signedBy: 'rsa' },
    { ...altered("the merchant's own RSA key", await signedAs('payment', merchantRsa)), signedBy: 'rsa' },
    { ...altered('RSA that is not base64', payment.replace(sign, 'no+base64!')), signedBy: 'rsa' },
    delivered('forged: without the headers', { headers: {} }),
    delivered('forged: another id', { headers: { ...headers, 'webhook-id': 'N2' } }),
    delivered('forged: another signature in the header', {
      headers: { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}=` },
    }),
    delivered('forged: repeated after six minutes', { at: AT + FAR_S }),
    delivered('forged: six minutes ahead', { at: AT - FAR_S }),
    delivered('late by four minutes', { at: AT + NEAR_S, event: 'payment' }),
    delivered('two signatures in the header, while the secret is changed', {
      headers: { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}= ${right}` },
      event: 'payment',
    }),
  ]
}

/** The values that a variable that is not set, a placeholder or a mistake may leave as a key. */
const unusable: readonly (readonly [UnusableKey['key'], string, string | null])[] = [
  ['merchantKey', 'not set', null],
  ['merchantKey', 'empty', ''],
  ['merchantKey', 'the word undefined', 'undefined'],
  ['merchantKey', 'the word null', 'null'],
  ['merchantKey', '15 characters', 'fifteen-letters'],
  ['webhookSecret', 'empty', ''],
  ['webhookSecret', 'only the prefix', 'whsec_'],
  ['webhookSecret', 'short', 'whsec_c2hvcnQ='],
  ['webhookSecret', 'only padding', `whsec_${'='.repeat(16)}`],
  ['webhookSecret', 'not base64', `whsec_${'!'.repeat(24)}`],
  ['webhookSecret', 'without its prefix', 'bm90IHRoZSBmb3JtIG9mIGEgc2VjcmV0'],
  ['platformPublicKey', 'empty', ''],
  ['platformPublicKey', 'text', 'only text, not a key in PEM'],
  ['platformPublicKey', 'empty PEM', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n'],
  ['merchantPrivateKey', 'not set', null],
  ['merchantPrivateKey', 'empty', ''],
  ['merchantPrivateKey', 'text', 'only text, not a key in PEM'],
]

export function makeUnusableKeys(keys: Keys): Promise<UnusableKey[]> {
  return Promise.all(
    unusable.map(async ([key, what, value]) => {
      const strangers = { ...keys, [key]: value ?? '' }
      const signer = { kind: 'md5', key: strangers.merchantKey } as const
      const body = await composeBody('payment', { ...fields, code: '0' }, signer)
      const headers = webhookHeaders('payment', body, strangers)
      return { name: `unusable: ${key}, ${what}`, key, value, headers, body, at: AT }
    }),
  )
}
