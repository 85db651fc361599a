// Stripe's events. The signature proves who sent one, but events come late, twice and in any order, so an event only names
// the object that we then fetch.
import { createHmac } from 'node:crypto'
import { isObject } from '../../base/object.ts'
import { isEqualSecret } from '../../base/secret.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Callback } from '../contract.ts'
import { isId } from './wire.ts'

export type StripeEvent = {
  /** ignored: it decides nothing. */
  readonly about: 'payment' | 'refund' | 'dispute' | 'ignored'
  readonly id: string
}

/** Maximum age: an older event may be a replay. */
const TOLERANCE_S = 300

export function isFromStripe({ headers, body }: Callback, secret: string, now: Date): boolean {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  const ageS = Math.abs(now.getTime() / 1000 - Number(time))
  if (!/^\d{1,12}$/.test(time) || ageS > TOLERANCE_S) return false
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  // While a secret is replaced there is a signature by each.
  return parts.some(([name, value = '']) => name === 'v1' && isEqualSecret(value, expected))
}

/** Undefined when it is malformed. */
export function eventIn({ body }: Callback): StripeEvent | undefined {
  const event = parseJson(body)
  const data = isObject(event) ? event.data : undefined
  const object = isObject(data) ? data.object : undefined
  if (!isObject(event) || typeof event.type !== 'string' || !isObject(object)) return undefined
  const about = aboutOf(event.type)
  if (about === 'ignored') return { about, id: '' }
  const { id } = object
  return isId(id) ? { about, id } : undefined
}

const deciding: readonly string[] = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
]

function aboutOf(type: string): StripeEvent['about'] {
  if (deciding.includes(type)) return 'payment'
  if (/^refund\.(created|updated|failed)$/.test(type)) return 'refund'
  return /^charge\.dispute\.\w+$/.test(type) ? 'dispute' : 'ignored'
}
