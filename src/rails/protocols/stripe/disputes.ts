// Disputes. Each dispute is read together with its payment, which has our reference.

import type { Clock } from '../../../platform/base/clock.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { Dispute, Disputes, Unknown } from '../../contract/channel.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import type { ChannelStore, RecordChange } from '../../contract/store.ts'
import type { Alarms } from '../../toolkit/alarms.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { readTimeMs } from '../../toolkit/read-time.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { createdFrom, listPages, type StripeApi } from './api.ts'
import { fromStripeAmount, isId, metadataOf, ORDER, objectIn, whyUnknown } from './wire.ts'

const stages: ReadonlyMap<string, NonNullable<Dispute['stage']>> = new Map([
  ['warning_needs_response', 'inquiry'],
  ['warning_under_review', 'inquiry'],
  ['warning_closed', 'won'],
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
])

/**
 * The stages of disputes that Stripe's prevention ended before the bank opened them, by case type. After a block the
 * money stays ours. A resolution gives the money back to the payer.
 */
const prevented: ReadonlyMap<unknown, NonNullable<Dispute['stage']>> = new Map([
  ['block', 'won'],
  ['resolution', 'lost'],
])

function stageOf({ status, payment_method_details: details }: Fields): Dispute['stage'] {
  if (status !== 'prevented') return stages.get(String(status))
  const card = isObject(details) ? details.card : undefined
  return isObject(card) ? prevented.get(card.case_type) : undefined
}

/** Returns our reference of the dispute's payment. Undefined if another system made the payment. */
function orderOf({ payment_intent: payment }: Fields): string | undefined {
  return isObject(payment) ? metadataOf(payment, ORDER) : undefined
}

/**
 * Reads a dispute. Returns `not-ours` if another system made the payment. Undefined if the dispute is malformed or its
 * status is unknown.
 */
export function readDispute(dispute: Fields): Dispute | 'not-ours' | undefined {
  const { id, amount, currency, reason, created } = dispute
  const reference = orderOf(dispute)
  if (reference === undefined) return 'not-ours'
  const money = fromStripeAmount(amount, currency)
  const stage = stageOf(dispute)
  const at = readSeconds(created)
  if (typeof id !== 'string' || money === undefined || stage === undefined || at === undefined)
    return undefined
  const { evidence_details: evidence } = dispute
  const respondBy = isObject(evidence) ? readSeconds(evidence.due_by) : undefined
  return {
    disputeRef: id,
    reference,
    money,
    reason: typeof reason === 'string' ? reason : '',
    at,
    stage,
    ...(respondBy !== undefined && { respondBy }),
  }
}

function readSeconds(value: unknown): Date | undefined {
  return typeof value === 'number' ? readTimeMs(value * 1000) : undefined
}

// Polling of disputes. Polling finds disputes whose event never came, and later stages of known disputes.
//
// Stripe lists disputes by their opening time, and includes disputes of other systems that use the account. So only the
// disputes of a time window are listed, at long intervals. Our older disputes are read one by one until they are won or
// lost. A dispute that cannot be read, such as one with an unknown status, raises an alarm and counts as open. So it is
// read again at any age, until it can be read.

const DAY_MS = 86_400_000
/** The age up to which disputes are listed. Most disputes are decided within this time. */
const WINDOW_MS = 120 * DAY_MS
/** The polling interval. The worker asks every few seconds, and gets the last list in between. */
const LISTED_MS = 15 * 60_000
const FAILED_MS = 60_000
const MAX_PAGES = 200
const OPEN = 'open-dispute'
const PIECE = 500
const MOST_UNANSWERED = 3

type DisputeListOptions = {
  readonly name: string
  readonly api: StripeApi
  readonly store: ChannelStore
  readonly alarms: Alarms
  readonly log: ChannelTools['log']
  readonly clock: Clock
  readonly timeoutMs: number
}

export function createDisputeList(options: DisputeListOptions): (since: Date) => Promise<Disputes> {
  const { clock } = options
  let last: Disputes = unknown('Stripe was not asked yet')
  let nextAt = 0
  return async (since) => {
    const now = clock.now()
    // A new list is returned whole. `since` does not apply to it, because it would hide later stages of older disputes:
    // a dispute's time is always its opening time.
    if (now.getTime() >= nextAt) {
      const { disputes, isWhole } = await readAll(options, now)
      last = disputes
      nextAt = now.getTime() + (isWhole ? LISTED_MS : FAILED_MS)
      return last
    }
    return last.kind === 'listed' ? { ...last, list: last.list.filter(({ at }) => at >= since) } : last
  }
}

/** `isWhole` is true if Stripe returned every dispute that was requested. */
type ReadAll = { readonly disputes: Disputes; readonly isWhole: boolean }
type Found = Fields & { readonly id: string }

async function readAll(options: DisputeListOptions, now: Date): Promise<ReadAll> {
  const { api, store, timeoutMs } = options
  const patient: Get = {
    get: (path, query) => withDeadline(timeoutMs, (signal) => api.get(path, query, signal)),
  }
  const listed = await listRecent(patient, now)
  if ('kind' in listed) return { disputes: listed, isWhole: false }
  const older = await readOlder(patient, options, new Set(listed.map(({ id }) => id)))
  const list: Dispute[] = []
  const changes: RecordChange[] = older.gone.map((key) => ({ remove: { kind: OPEN, key } }))
  for (const found of [...listed, ...older.found]) {
    const dispute = readDispute(found)
    if (dispute === undefined) await tellUnread(options.alarms, found)
    if (dispute !== 'not-ours') changes.push(remember(found.id, dispute?.stage))
    if (typeof dispute === 'object') list.push(dispute)
  }
  for (let at = 0; at < changes.length; at += PIECE) await store.write(changes.slice(at, at + PIECE))
  list.sort((one, other) => one.at.getTime() - other.at.getTime())
  return { disputes: { kind: 'listed', list }, isWhole: older.isWhole }
}

type Get = Pick<StripeApi, 'get'>
const { signal: never } = new AbortController()

async function listRecent(api: Get, now: Date): Promise<readonly Found[] | Unknown> {
  const query = { ...createdFrom(new Date(now.getTime() - WINDOW_MS)), expand: ['data.payment_intent'] }
  const list = await listPages(api, '/disputes', query, never, MAX_PAGES)
  if ('kind' in list) return list
  const found = list.flatMap((one) => (isId(one.id) ? [{ ...one, id: one.id }] : []))
  return found.length === list.length ? found : unknown('Stripe listed a dispute without its id')
}

type Older = { readonly found: readonly Found[]; readonly gone: readonly string[]; readonly isWhole: boolean }

/**
 * Reads the open disputes that are not listed. `gone` has the ids of disputes that are unknown at Stripe, or not ours.
 */
async function readOlder(
  api: Get,
  { name, store, log }: DisputeListOptions,
  isListed: ReadonlySet<string>,
): Promise<Older> {
  const found: Found[] = []
  const gone: string[] = []
  let isWhole = true
  let unanswered = 0
  for (const { key: id } of await listAll(store, OPEN)) {
    if (isListed.has(id)) continue
    const reply = await api.get(`/disputes/${id}`, { expand: ['payment_intent'] }, never)
    const dispute = objectIn(reply, 'dispute')
    const isAbsent = reply.kind === 'answer' && reply.status === 404
    if (dispute !== undefined && orderOf(dispute) !== undefined) found.push(dispute)
    else if (dispute !== undefined || isAbsent) gone.push(id)
    else {
      isWhole = false
      log.warn({ channel: name, dispute: id, why: whyUnknown(reply).why }, 'a dispute could not be read')
      // Reading stops after MOST_UNANSWERED calls without an answer: further calls might time out and delay the listed
      // disputes.
      if (reply.kind !== 'answer' && ++unanswered === MOST_UNANSWERED) break
    }
  }
  return { found, gone, isWhole }
}

/** Raises an alarm about a dispute that cannot be read: one alarm per dispute and status. */
export async function tellUnread(alarms: Alarms, dispute: Found): Promise<void> {
  const status = String(dispute.status).slice(0, 40)
  const what = `Stripe's dispute ${dispute.id} (${status}) cannot be read: look in its dashboard`
  await alarms.raise(`dispute ${dispute.id} ${status}`, { reference: orderOf(dispute) ?? '', what })
}

function remember(key: string, stage: Dispute['stage']): RecordChange {
  const isOver = stage === 'won' || stage === 'lost'
  return isOver ? { remove: { kind: OPEN, key } } : { add: { kind: OPEN, key, body: {} } }
}
