// Indexes orders for search and counts, in short transactions. The entry of an order is committed together with its
// counts, so each order is counted only once. The progress is written with the last step of a span: after a failed step
// the span is read again, without the orders that are already indexed.
//
// Changes are read by time, soon after they happen. A transaction may commit some seconds after the time that it wrote,
// so changes may appear in a span that was already read. For this reason, the latest part of a span is read again with
// the next span. Every span is read once more some minutes later, when no further change can appear in it.
//
// A worker writes the keys outside the payment's transaction, so the search adds no statement to a payment. Searches
// are therefore some seconds behind, and further behind in a peak of payments.

import { type Db, inTimeRange, type Tx } from '../../../platform/postgres/db.ts'
import { type OrderKey, State, type StateNumber } from '../../orders/order.ts'
import { committedBefore } from '../as-of.ts'
import { emptyMilestones } from '../milestones.ts'
import { keysOf } from './keys.ts'
import {
  type ChangedOrder,
  type IndexedOrder,
  readChanged,
  readChangedKeys,
  readChosen,
  readNextKeys,
} from './read-changed.ts'
import {
  addKeys,
  type CountCell,
  type CountStep,
  emptyIndex,
  type IndexEntry,
  type KeyRow,
  lockProgress,
  type Progress,
  removeKeys,
  writeCounts,
  writeEntries,
  writeProgress,
} from './write-index.ts'

/** The delay after which changes are read. Most card payments are decided by then, so they are indexed only once. */
const DELAY_MS = 700
/** The age at which a change has almost always been committed. */
const COMMITTED_MS = 3_000
const CHECK_MS = 60_000
/**
 * If a check takes longer than this, the next check reads a shorter span, because payments wait while a check uses the
 * processor.
 */
const LONG_CHECK_MS = 50
/**
 * The number of orders per step. A step uses the processor for about 30 ms, so it delays a payment by at most 30 ms.
 */
const ORDERS_PER_STEP = 100
/** The maximum number of changed keys that one query reads. All these keys are indexed before more keys are read. */
const ORDERS_PER_SPAN = 4_000
const LEAST_SPAN_MS = 50
const MOST_SPAN_MS = 86_400_000

type Indexer = {
  /** Performs one step. Returns true if more work is waiting. */
  step(now: Date): Promise<boolean>
  /** Returns how far the index was behind payments at the last attempt to read changes. */
  behindMs(): number
}

/** Orders that are indexed over several steps: orders changed in a span of time, or the next orders of a rebuild. */
type Span = {
  /** The progress at which this span was read. If another node has advanced the progress since, the span is dropped. */
  readonly after: Progress
  readonly rest: readonly OrderKey[]
  readonly done: Progress
}

export function createIndexer(db: Db, limit = ORDERS_PER_STEP): Indexer {
  // The length of the next span. The length adapts to the number of orders that changed in the last span.
  let spanMs = 10_000
  let behindMs = 0
  /** The time between the end of the last span and the moment when the span was read. */
  let readAgeMs = 0
  let span: Span | undefined
  let checkMs = CHECK_MS
  let turn = -1

  async function nextChanges(tx: Tx, progress: Progress, now: Date): Promise<Span | undefined> {
    behindMs = now.getTime() - progress.readUntil.getTime()
    const end = endOfChanges(now)
    if (progress.readUntil >= end) return undefined
    const from = new Date(progress.readUntil.getTime() - Math.max(0, COMMITTED_MS - readAgeMs))
    const until = earlier(end, new Date(progress.readUntil.getTime() + spanMs))
    const rest = await readChangedKeys(tx, from, until, ORDERS_PER_SPAN)
    const isFull = rest.length === ORDERS_PER_SPAN
    if (isFull) spanMs = Math.max(spanMs / 2, LEAST_SPAN_MS)
    else if (rest.length < ORDERS_PER_SPAN / 4) spanMs = Math.min(spanMs * 2, MOST_SPAN_MS)
    if (!isFull) readAgeMs = now.getTime() - until.getTime()
    return { after: progress, rest, done: isFull ? progress : { ...progress, readUntil: until } }
  }

  async function nextCheck(tx: Tx, progress: Progress, now: Date): Promise<Span | undefined> {
    if (!isCheckDue(progress, now)) return undefined
    const end = committedBefore({ at: now })
    const until = earlier(end, new Date(progress.checkedUntil.getTime() + checkMs))
    const begun = performance.now()
    const rest = await readChangedKeys(tx, progress.checkedUntil, until, ORDERS_PER_SPAN)
    const isLong = performance.now() - begun > LONG_CHECK_MS
    checkMs = isLong ? Math.max(checkMs / 2, LEAST_SPAN_MS) : Math.min(checkMs * 2, MOST_SPAN_MS)
    await index(tx, await readChosen(tx, limit))
    const isFull = rest.length === ORDERS_PER_SPAN
    return { after: progress, rest, done: isFull ? progress : { ...progress, checkedUntil: until } }
  }

  async function indexSome(tx: Tx, { after, rest, done }: Span): Promise<void> {
    if (rest.length > 0) await index(tx, await readChanged(tx, rest.slice(0, limit)))
    const left = rest.slice(limit)
    span = left.length > 0 ? { after, rest: left, done } : undefined
    if (span === undefined) await writeProgress(tx, done)
  }

  async function nextRebuild(tx: Tx, progress: Progress): Promise<Span | undefined> {
    if (progress.rebuild === undefined) return undefined
    const rest = await readNextKeys(tx, progress.rebuild, limit)
    const rebuild = rest.length < limit ? undefined : rest.at(-1)
    return { after: progress, rest, done: { ...progress, rebuild } }
  }

  /**
   * Returns the next span of work. Reading new changes alternates with checks and the rebuild. Otherwise checks and the
   * rebuild would never run, because new changes arrive all the time.
   */
  async function nextSpan(tx: Tx, progress: Progress, now: Date): Promise<Span | undefined> {
    const turns = [nextChanges, nextCheck, nextChanges, nextRebuild]
    turn = (turn + 1) % turns.length
    for (const next of [...turns.slice(turn), ...turns.slice(0, turn)]) {
      const span = await next(tx, progress, now)
      if (span !== undefined) return span
    }
    return undefined
  }

  async function stepIn(tx: Tx, now: Date): Promise<boolean> {
    await tx.query({ text: inTimeRange })
    const progress = await lockProgress(tx, now)
    if (progress === undefined) return false
    const current = span !== undefined && isSame(span.after, progress) ? span : undefined
    const next = current ?? (await nextSpan(tx, progress, now))
    if (next === undefined) return false
    await indexSome(tx, next)
    const { done } = next
    return (
      span !== undefined ||
      done.readUntil < endOfChanges(now) ||
      isCheckDue(done, now) ||
      done.rebuild !== undefined
    )
  }

  return {
    behindMs: () => behindMs,
    async step(now) {
      try {
        return await db.transaction((tx) => stepIn(tx, now))
      } catch (error) {
        // The transaction was rolled back, so the orders of this step are not indexed. Without a span, the next step
        // reads them again.
        span = undefined
        throw error
      }
    },
  }
}

function endOfChanges(now: Date): Date {
  return new Date(now.getTime() - DELAY_MS)
}

function isCheckDue({ checkedUntil }: Progress, now: Date): boolean {
  return checkedUntil.getTime() + CHECK_MS < committedBefore({ at: now }).getTime()
}

function isSame(one: Progress, other: Progress): boolean {
  return (
    one.readUntil.getTime() === other.readUntil.getTime() &&
    one.checkedUntil.getTime() === other.checkedUntil.getTime() &&
    one.rebuild?.tradeNo === other.rebuild?.tradeNo
  )
}

/**
 * Empties the index and the milestones of the order lists. Workers rebuild both from the orders. Searches are
 * incomplete until the rebuild has finished.
 */
export async function rebuildIndex(db: Db, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await emptyIndex(tx, now)
    await emptyMilestones(tx)
  })
}

async function index(tx: Tx, rows: readonly ChangedOrder[]): Promise<void> {
  if (rows.length === 0) return
  const changes = rows.map(changeOf)
  await writeEntries(
    tx,
    changes.map(({ entry }) => entry),
  )
  await removeKeys(
    tx,
    changes.flatMap(({ removed }) => removed),
  )
  await addKeys(
    tx,
    changes.flatMap(({ added }) => added),
  )
  await writeCounts(
    tx,
    changes.flatMap(({ steps }) => steps),
  )
}

type IndexChange = {
  readonly entry: IndexEntry
  readonly added: readonly KeyRow[]
  readonly removed: readonly KeyRow[]
  readonly steps: readonly CountStep[]
}

function changeOf(row: ChangedOrder): IndexChange {
  const [merNo, tradeNo] = [Number(row.mer_no), row.trade_no]
  const keys = keysOf({
    money: { amount: row.amount, currency: row.currency },
    state: row.state,
    method: row.method,
    emails: row.emails.filter(isGiven),
    names: [...row.names.filter(isGiven), ...(row.payer_names ?? [])],
    cards: row.cards ?? [],
    references: row.channel_refs ?? [],
  })
  const old = row.indexed?.keys.split('\n') ?? []
  const toRow = (key: string) => ({ merNo, tradeNo, createdAt: row.created_at, key })
  const cell = cellOf(row)
  return {
    entry: { merNo, tradeNo, version: row.version, attempts: row.attempts, keys, cell },
    added: keys.filter((key) => !old.includes(key)).map(toRow),
    removed: old.filter((key) => !keys.includes(key)).map(toRow),
    steps: stepsOf(merNo, row.indexed, cell),
  }
}

function isGiven(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}

function cellOf(row: ChangedOrder): CountCell {
  const { local_day: localDay, hour, method, state, currency, amount } = row
  return { localDay, hour, method, state, currency, amount, reason: reasonOf(state, row.message) }
}

function stepsOf(merNo: number, old: IndexedOrder | null, cell: CountCell): CountStep[] {
  const entered = { merNo, cell, orders: 1n, amount: cell.amount }
  if (old === null) return [entered]
  const isSame = old.method === cell.method && old.state === cell.state && old.reason === cell.reason
  if (isSame) return []
  const left = { ...cell, method: old.method, state: old.state, reason: old.reason }
  return [{ merNo, cell: left, orders: -1n, amount: -cell.amount }, entered]
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}

const MAX_LENGTH = 80

/**
 * Returns why the order failed or was cancelled. Ids and long numbers are left out, because they would make each reason
 * unique.
 */
function reasonOf(state: StateNumber, message: string): string {
  if (state !== State.failed && state !== State.cancelled) return ''
  return message
    .replace(/[A-Za-z]*\d[\w-]{3,}/g, '…')
    .trim()
    .slice(0, MAX_LENGTH)
}
