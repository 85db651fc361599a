// Shows a merchant's new notifications to the merchant's developer. If the developer names an address, copies are
// forwarded to it, with the same body and new headers. Forwarding only reads the outbox, and is not a delivery attempt.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/base/clock.ts'
import { idsFrom } from '../../platform/base/id.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { type Signer, signFields } from '../merchants/sign-fields.ts'
import { type PrepareDeps, whyNotDelivered } from './attempt.ts'
import { listAfter } from './list-notifications.ts'
import { eventRules, LIST_LIMIT, type NewNotification, type NotificationEvent } from './notification.ts'
import type { Sender } from './send.ts'
import { bodyFor, headersOf } from './wire.ts'

export type ForwardDeps = PrepareDeps & {
  readonly db: Db
  readonly clock: Clock
  readonly sender: Sender
}

export type ForwardWanted = {
  readonly merNo: number
  /** The address for copies. Undefined if the notifications are only shown. */
  readonly url: string | undefined
  readonly signal: AbortSignal
}

export type Forwarded = {
  readonly at: Date
  readonly notificationId: string
  readonly event: NotificationEvent
  readonly tradeNo: string
  readonly merOrderNo: string
  /** The field `code` of the body, or `state` if the body has no code. */
  readonly code: string
  /** True if the body's `sign` verifies with a current key. */
  readonly signVerifies: boolean
  readonly body: string
  /** The response to the copy. Undefined if no copy was sent. */
  readonly response: CopyResponse | undefined
}

type CopyResponse = {
  readonly acknowledged: boolean
  readonly why: string | null
  readonly status: number | null
  readonly latencyMs: number
  readonly answer: string
}

const POLL_EVERY_MS = 200
/** The maximum delay from the time in a row's id until the row is visible: commits take time, and clocks differ. */
const LATE_MS = 60_000
const SHOWN_ANSWER = 200

/** Forwards each new notification once and in order, until the signal aborts. */
export async function forwardNotifications(
  deps: ForwardDeps,
  wanted: ForwardWanted,
): Promise<AsyncGenerator<Forwarded>> {
  const outbox = watchOutbox(deps, wanted.merNo)
  await outbox.next()
  return forwardAll(deps, wanted, outbox)
}

type WatchedOutbox = ReturnType<typeof watchOutbox>

async function* forwardAll(
  deps: ForwardDeps,
  wanted: ForwardWanted,
  outbox: WatchedOutbox,
): AsyncGenerator<Forwarded> {
  const { signal } = wanted
  while (!signal.aborted) {
    for (const one of await outbox.next()) {
      if (signal.aborted) return
      yield await forward(deps, wanted, one)
    }
    await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Returns a watcher of the outbox. Each call of `next` returns the notifications since the previous call. */
function watchOutbox({ db, clock }: ForwardDeps, merNo: number) {
  let seen = new Set<string>()
  let lookedAt = clock.now()

  async function next(): Promise<NewNotification[]> {
    const from = idsFrom('N', new Date(lookedAt.getTime() - LATE_MS))
    lookedAt = clock.now()
    const found = await listAll(db, merNo, from)
    const fresh = found.filter(({ notificationId }) => !seen.has(notificationId))
    seen = new Set(found.map(({ notificationId }) => notificationId))
    return fresh.sort((one, other) => one.queuedAt.getTime() - other.queuedAt.getTime())
  }
  return { next }
}

async function listAll(db: Db, merNo: number, from: string): Promise<NewNotification[]> {
  const all: NewNotification[] = []
  for (let after = from; ; ) {
    const page = await listAfter(db, merNo, after)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < LIST_LIMIT) return all
    after = last.notificationId
  }
}

async function forward(deps: ForwardDeps, wanted: ForwardWanted, one: NewNotification): Promise<Forwarded> {
  const { notificationId, tradeNo, event, fields } = one
  const merchant = await deps.findMerchant(wanted.merNo)
  if (merchant === undefined) throw new Error(`merchant ${wanted.merNo} is gone`)
  const body = one.body || (await bodyFor(one, merchant, deps.platformKey))
  const at = deps.clock.now()
  const { webhookSecret } = merchant
  const headers = headersOf({ notificationId, event, body, webhookSecret, at })
  return {
    at,
    notificationId,
    event,
    tradeNo,
    merOrderNo: String(fields.merOrderNo ?? ''),
    code: String(fields.code ?? fields.state ?? ''),
    signVerifies: await verifies(event, body, signersOf(merchant, deps)),
    body,
    response: wanted.url === undefined ? undefined : await sendCopy(deps, event, wanted.url, headers, body),
  }
}

async function sendCopy(
  { sender }: ForwardDeps,
  event: NotificationEvent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<CopyResponse> {
  const outcome = await sender.send({ url: new URL(url), headers, body })
  const why = whyNotDelivered(event, outcome)
  return {
    acknowledged: why === undefined,
    why: why ?? null,
    status: outcome.status ?? null,
    latencyMs: outcome.latencyMs,
    answer: outcome.answer.slice(0, SHOWN_ANSWER),
  }
}

/** Returns the signers of all keys with which the merchant may verify a signature. */
function signersOf(merchant: Merchant, { platformKey }: PrepareDeps): Signer[] {
  if (merchant.rsaKey !== undefined) return [{ kind: 'rsa', key: platformKey }]
  return merchant.keys.map(({ key }) => ({ kind: 'md5', key }))
}

/** Verifies the signature as the merchant does. Returns false if the key was changed after the body was created. */
async function verifies(
  event: NotificationEvent,
  body: string,
  signers: readonly Signer[],
): Promise<boolean> {
  const isJson = eventRules[event].contentType === 'json'
  const fields: Record<string, unknown> = isJson
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body))
  const signs = await Promise.all(signers.map((signer) => signFields(event, fields, signer)))
  return signs.some((sign) => sign === fields.sign)
}
