// Creates the body and the headers of a notification, both signed. A failed attempt stores its body for later attempts.
// The Standard Webhooks headers contain the time of the attempt, so each attempt creates its own headers.
import type { KeyObject } from 'node:crypto'
import { memoize } from '../../platform/base/memoize.ts'
import { hmacBy } from '../../platform/base/secret.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { type SignedEvent, type Signer, signerFor, signFields } from '../merchants/sign-fields.ts'
import { eventRules, type Fields, type NotificationEvent } from './notification.ts'

const contentTypes = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const

/** The fields of results that earlier versions did not send. Each merchant can switch these fields on or off. */
const amountNames: readonly string[] = ['currencyCode', 'sourceAmount']

/** Creates the body for this merchant, with the fields that the merchant has chosen. */
export function bodyFor(
  { event, fields }: { readonly event: NotificationEvent; readonly fields: Fields },
  merchant: Merchant,
  platformKey: KeyObject,
): Promise<string> {
  return composeBody(event, fieldsFor({ event, fields }, merchant), signerFor(merchant, platformKey))
}

/** Returns the stored fields, without the amounts of a result if the merchant has switched them off. */
export function fieldsFor(
  { event, fields }: { readonly event: NotificationEvent; readonly fields: Fields },
  { amountsInNotifications }: Pick<Merchant, 'amountsInNotifications'>,
): Fields {
  const isResult = event === 'payment' || event === 'payout'
  if (!isResult || amountsInNotifications) return fields
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !amountNames.includes(name)))
}

export async function composeBody(event: NotificationEvent, fields: Fields, signer: Signer): Promise<string> {
  const purpose: SignedEvent = event
  const sign = await signFields(purpose, fields, signer)
  if (eventRules[event].contentType === 'json') return JSON.stringify({ ...fields, sign })
  return `${formBody(fields)}sign=${formText(sign)}`
}

function formBody(fields: Fields): string {
  let body = ''
  for (const name in fields) body += `${formText(name)}=${formText(String(fields[name]))}&`
  return body
}

/** Encodes text for a form. Most texts need no encoding, and most other texts repeat, so their encoding is cached. */
function formText(text: string): string {
  return /^[\w.*-]*$/.test(text) ? text : escaped(text)
}

const escaped = memoize(1_000, (text) => new URLSearchParams([['', text]]).toString().slice(1))

export type Sealed = {
  readonly notificationId: string
  readonly event: NotificationEvent
  readonly body: string
  /** The secret: `whsec_` followed by the key in base64. */
  readonly webhookSecret: string
  readonly at: Date
}

export function headersOf({
  notificationId,
  event,
  body,
  webhookSecret,
  at,
}: Sealed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const mac = macBy(webhookSecret)(`${notificationId}.${timestamp}.${body}`)
  return {
    'content-type': contentTypes[eventRules[event].contentType],
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Tollgate',
    accept: '*/*',
    'webhook-id': notificationId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
  }
}

// A merchant's secret rarely changes, so the HMAC key made from it is cached.
const macBy = memoize(1_000, (webhookSecret) =>
  hmacBy(Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64'), 'base64'),
)
