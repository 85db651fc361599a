// Finds disputes that no event has told us of, and the later stages of those that we know.
//
// Stripe lists disputes by the time at which they were opened, those of other systems of the account among them. So a time
// window is read, seldom, and of the older ones those of ours that were open when they were last read.
//
// One that cannot be read, such as one with a status that nobody has seen, brings an operator and counts as open: it is read
// again, also when it is old, until it can be.
import type { Clock } from '../../base/clock.ts'
import type { Fields } from '../../base/object.ts'
import type { Alarms } from '../alarms.ts'
import type { Dispute, Disputes, Unknown } from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type { ChannelTools } from '../settings.ts'
import type { ChannelStore, RecordChange } from '../store.ts'
import { orderOf, readDispute } from './disputes.ts'
import { createdFrom, listPages } from './list-pages.ts'
import type { StripeApi } from './stripe-api.ts'
import { isId, objectIn, unknown, whyUnknown } from './wire.ts'

const DAY_MS = 86_400_000
/** Most disputes are decided within that time. */
const WINDOW_MS = 120 * DAY_MS
/** The worker asks every few seconds, Stripe is asked less often. */
const LISTED_MS = 15 * 60_000
const FAILED_MS = 60_000
const MAX_PAGES = 200
/** Older disputes of ours that are open. */
const OPEN = 'open-dispute'
const PIECE = 500
const MOST_UNANSWERED = 3

export type DisputeListOptions = {
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
    // All of what was read now: a later stage has the time of its dispute's opening.
    if (now.getTime() >= nextAt) {
      const { disputes, isWhole } = await readAll(options, now)
      last = disputes
      nextAt = now.getTime() + (isWhole ? LISTED_MS : FAILED_MS)
      return last
    }
    return last.kind === 'listed' ? { ...last, list: last.list.filter(({ at }) => at >= since) } : last
  }
}

/** `isWhole`: Stripe returned each of them. */
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

/** One that Stripe does not return stays open, and is in nobody's way. */
async function readOlder(
  api: Get,
  { name, store, log }: DisputeListOptions,
  isListed: ReadonlySet<string>,
): Promise<Older> {
  const found: Found[] = []
  const gone: string[] = []
  let isWhole = true
  let unanswered = 0
  for (const id of await openOnes(store)) {
    if (isListed.has(id)) continue
    const reply = await api.get(`/disputes/${id}`, { expand: ['payment_intent'] }, never)
    const dispute = objectIn(reply, 'dispute')
    const isAbsent = reply.kind === 'answer' && reply.status === 404
    if (dispute !== undefined && orderOf(dispute) !== undefined) found.push(dispute)
    else if (dispute !== undefined || isAbsent) gone.push(id)
    else {
      isWhole = false
      log.warn({ channel: name, dispute: id, why: whyUnknown(reply).why }, 'a dispute could not be read')
      // Each of the others would wait for its own deadline, and what was listed with them.
      if (reply.kind !== 'answer' && ++unanswered === MOST_UNANSWERED) break
    }
  }
  return { found, gone, isWhole }
}

/** Once for each status. */
export async function tellUnread(alarms: Alarms, dispute: Found): Promise<void> {
  const status = String(dispute.status).slice(0, 40)
  const what = `Stripe's dispute ${dispute.id} (${status}) cannot be read: look in its dashboard`
  await alarms.raise(`dispute ${dispute.id} ${status}`, { reference: orderOf(dispute) ?? '', what })
}

async function openOnes(store: ChannelStore): Promise<readonly string[]> {
  const found: string[] = []
  for (let after = ''; ; ) {
    const page = await store.list(OPEN, { after, limit: PIECE })
    found.push(...page.map(({ key }) => key))
    const last = page.at(-1)
    if (last === undefined || page.length < PIECE) return found
    after = last.key
  }
}

function remember(key: string, stage: Dispute['stage']): RecordChange {
  const isOver = stage === 'won' || stage === 'lost'
  return isOver ? { remove: { kind: OPEN, key } } : { add: { kind: OPEN, key, body: {} } }
}
