// Verifies notifications. The signatures cover the raw body, so the body must not be parsed before.
import { isEqual } from './bytes.ts'
import { TollgateError } from './errors.ts'
import { type NotificationEvent, type NotificationFields, notificationEvents } from './generated.ts'
import { checkSecrets, isSignedBy, type Secrets, webhookSignature } from './secrets.ts'

type Statuses = {
  readonly payment: 'succeeded' | 'failed'
  readonly payout: 'succeeded' | 'failed'
  readonly review: 'information-asked'
  readonly refund: 'succeeded' | 'failed'
  readonly chargeback: 'opened' | 'won' | 'lost'
}

/** A union by event: `switch (notification.event)` narrows the types of `status` and `data`. */
export type Notification = {
  readonly [Event in NotificationEvent]: {
    readonly event: Event
    readonly status: Statuses[Event]
    readonly data: NotificationFields[Event]
    /** The header webhook-id, which is the same for all deliveries of a notification. Undefined without headers. */
    readonly id: string | undefined
  }
}[NotificationEvent]

/** Headers in the form of Node, the Fetch API and frameworks. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type RawBody = string | Uint8Array | ArrayBuffer

/**
 * With a webhook secret, a notification is refused if its timestamp differs from the current time by more than this.
 */
const TOLERANCE_MS = 5 * 60_000

/** Throws a TollgateError for a forged notification or a missing secret. A webhook secret requires `headers`. */
export async function verifyNotification(
  rawBody: RawBody,
  secrets: Secrets,
  headers: HeaderSource = {},
): Promise<Notification> {
  checkSecrets(secrets)
  const body = textOf(rawBody)
  if (secrets.webhookSecret !== undefined) await checkWebhook(secrets.webhookSecret, body, headers)
  const fields = fieldsOf(body)
  for (const event of eventsOf(body)) {
    if (await isSignedBy(secrets, event, fields))
      return described(event, fields, headerOf(headers, 'webhook-id'))
  }
  throw refused('its sign does not match: check the key, and that the body is passed as it arrived')
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new TextDecoder().decode(body)
  throw refused('pass the raw body, a text or bytes: a body that was parsed cannot be verified')
}

async function checkWebhook(secret: string, body: string, headers: HeaderSource): Promise<void> {
  const [id = '', timestamp = '', given = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  const expected = await webhookSignature(secret, { id, timestamp, body })
  if (!given.split(' ').some((one) => isEqual(expected, one)))
    throw refused('its webhook-signature does not match: check the webhook secret')
  // The negated comparison also refuses a timestamp that is not a number.
  if (!(Math.abs(Date.now() - Number(timestamp) * 1000) <= TOLERANCE_MS))
    throw refused("its webhook-timestamp is not of the last five minutes: check this machine's clock")
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

export type ExpectedAmount = {
  /** A decimal, for example `24.00` or `24`. */
  readonly amount: string
  readonly currency: string
}

/**
 * True if a payment or payout has the amount and the currency that the shop expects. Call this before you credit an
 * order: a genuine notification may be about an order that somebody made with a lower amount. Throws a TollgateError
 * for other events, or if the notification has no amount.
 */
export function hasAmount({ event, data }: Notification, { amount, currency }: ExpectedAmount): boolean {
  const { sourceAmount, currencyCode } =
    event === 'payment' || event === 'payout' ? data : { sourceAmount: undefined, currencyCode: undefined }
  if (sourceAmount !== undefined && currencyCode !== undefined)
    return currencyCode === currency && withoutZeros(sourceAmount) === withoutZeros(amount)
  throw new TollgateError(
    `a notification about a ${event} carries no amount to compare: switch on amounts in notifications, or use findPayment`,
    { next: 'ask-operator' },
  )
}

function withoutZeros(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0*$/, '') : amount
}

type Received = Readonly<Record<string, string | number>>

function fieldsOf(body: string): Received {
  if (!isJson(body)) return Object.fromEntries(new URLSearchParams(body))
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw refused('its body is not JSON', cause)
  }
}

/**
 * The events to which the body may belong. A body does not name its event, but its signature is valid for only one
 * event.
 */
function eventsOf(body: string): readonly NotificationEvent[] {
  const type = isJson(body) ? 'json' : 'form'
  return eventNames.filter((event) => notificationEvents[event] === type)
}

function isJson(body: string): boolean {
  return body.startsWith('{')
}

const eventNames: readonly NotificationEvent[] = ['payment', 'payout', 'review', 'refund', 'chargeback']

const disputeStatuses: Readonly<Record<string, string>> = { 1: 'opened', 2: 'won', 3: 'lost' }

function described(
  event: NotificationEvent,
  { sign: _, ...data }: Received,
  id: string | undefined,
): Notification {
  const notification: unknown = { event, status: statusOf(event, data), data, id }
  if (isNotification(notification)) return notification
  throw refused('it has no fields')
}

// The gateway signed the fields, so their types need no further check.
function isNotification(value: unknown): value is Notification {
  return typeof value === 'object' && value !== null
}

function statusOf(event: NotificationEvent, { code, state }: Received): string | undefined {
  if (event === 'review') return 'information-asked'
  if (event === 'chargeback') return disputeStatuses[String(code)]
  return String(event === 'refund' ? state : code) === '0' ? 'succeeded' : 'failed'
}

function refused(why: string, cause?: unknown): TollgateError {
  return new TollgateError(`the notification was refused: ${why}`, { next: 'check-keys', cause })
}
