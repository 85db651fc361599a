// Finds disputes that no event has told us of, and the later stages of those that we know.
//
// Stripe lists disputes by the time at which they were opened, those of other systems of the account among them. So a time
// window is read, seldom, and of the older ones those of ours that were open when they were last read.
import type { Clock } from '../../base/clock.ts'
import type { Dispute, Disputes, Unknown } from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type { ChannelStore, RecordChange } from '../store.ts'
import { readDispute } from './disputes.ts'
import { createdFrom, listPages } from './list-pages.ts'
import type { StripeApi } from './stripe-api.ts'
import { objectIn, unknown, whyUnknown } from './wire.ts'

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

export type DisputeListOptions = {
  readonly api: StripeApi
  readonly store: ChannelStore
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
      last = await readAll(options, now)
      nextAt = now.getTime() + (last.kind === 'listed' ? LISTED_MS : FAILED_MS)
      return last
    }
    return last.kind === 'listed' ? { ...last, list: last.list.filter(({ at }) => at >= since) } : last
  }
}

async function readAll({ api, store, timeoutMs }: DisputeListOptions, now: Date): Promise<Disputes> {
  const patient: Get = {
    get: (path, query) => withDeadline(timeoutMs, (signal) => api.get(path, query, signal)),
  }
  const listed = await listRecent(patient, now)
  if ('kind' in listed) return listed
  const isListed = new Set(listed.map(({ disputeRef }) => disputeRef))
  const found = [...listed]
  const gone: string[] = []
  for (const id of await openOnes(store)) {
    if (isListed.has(id)) continue
    const read = await readOne(patient, id)
    if (read === undefined) gone.push(id)
    else if ('kind' in read) return read
    else found.push(read)
  }
  await remember(store, found, gone)
  return { kind: 'listed', list: found.sort((one, other) => one.at.getTime() - other.at.getTime()) }
}

type Get = Pick<StripeApi, 'get'>
const { signal: never } = new AbortController()

/** One that cannot be read makes the whole list unknown: skipping it would lose it. */
async function listRecent(api: Get, now: Date): Promise<readonly Dispute[] | Unknown> {
  const query = { ...createdFrom(new Date(now.getTime() - WINDOW_MS)), expand: ['data.payment_intent'] }
  const list = await listPages(api, '/disputes', query, never, MAX_PAGES)
  if ('kind' in list) return list
  const read = list.map(readDispute)
  if (read.includes(undefined)) return unknown('Stripe sent a dispute that cannot be read')
  return read.filter((one) => typeof one === 'object')
}

/** Undefined: Stripe does not know it any more. */
async function readOne(api: Get, id: string): Promise<Dispute | Unknown | undefined> {
  const reply = await api.get(`/disputes/${id}`, { expand: ['payment_intent'] }, never)
  if (reply.kind === 'answer' && reply.status === 404) return undefined
  const found = objectIn(reply, 'dispute')
  if (found === undefined) return whyUnknown(reply)
  const dispute = readDispute(found)
  if (dispute === 'not-ours') return undefined
  return dispute ?? unknown('Stripe sent a dispute that cannot be read')
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

async function remember(
  store: ChannelStore,
  found: readonly Dispute[],
  gone: readonly string[],
): Promise<void> {
  const changes = found.map(({ disputeRef: key, stage }): RecordChange => {
    const isOver = stage === 'won' || stage === 'lost'
    return isOver ? { remove: { kind: OPEN, key } } : { add: { kind: OPEN, key, body: {} } }
  })
  const all = [...changes, ...gone.map((key) => ({ remove: { kind: OPEN, key } }))]
  for (let at = 0; at < all.length; at += PIECE) await store.write(all.slice(at, at + PIECE))
}
