// What goes over the wire. The body is made once and never again; the Standard Webhooks headers are made anew for each
// attempt, because they carry its time.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { type SignedEvent, type Signer, signFields } from '../merchants/sign-fields.ts'
import { eventRules, type Fields, type NotificationEvent } from './notification.ts'

const contentTypes = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const

export async function composeBody(event: NotificationEvent, fields: Fields, signer: Signer): Promise<string> {
  const purpose: SignedEvent = event
  const signed = { ...fields, sign: await signFields(purpose, fields, signer) }
  return eventRules[event].contentType === 'json' ? JSON.stringify(signed) : formBody(signed)
}

function formBody(fields: Fields): string {
  const pairs = Object.entries(fields).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(pairs).toString()
}

export type Sealed = {
  readonly notificationId: string
  readonly event: NotificationEvent
  readonly body: string
  /** In the form `whsec_` and base64. */
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
  const mac = createHmac('sha256', keyOf(webhookSecret))
    .update(`${notificationId}.${timestamp}.${body}`)
    .digest('base64')
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

// Reading a key costs as much as using it, and a merchant has one for long.
const keys = new Map<string, KeyObject>()
const MOST_KEYS = 1_000

function keyOf(webhookSecret: string): KeyObject {
  const known = keys.get(webhookSecret)
  if (known !== undefined) return known
  const key = createSecretKey(Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64'))
  if (keys.size >= MOST_KEYS) keys.clear()
  keys.set(webhookSecret, key)
  return key
}
