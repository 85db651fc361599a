// Indexes orders for search and counts, a short transaction at a time. Each step commits its rows with its progress, so a
// step that dies is repeated as a whole, and an order is counted once.
//
// Changes are read by time, soon after they happen. A transaction may commit some seconds after the time that it wrote, so
// each span overlaps the one before, and minutes later every span is read once more, when nothing can appear in it.

import { type Db, inTimeRange, type Tx } from '../../postgres/db.ts'
import { committedBefore } from '../as-of.ts'
import { keysOf } from './keys.ts'
import { type ChangedOrder, type IndexedOrder, readChanged, readChosen, readNext } from './read-changed.ts'
import { reasonOf } from './reason.ts'
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

/** A card payment is decided by then, so most orders are indexed once. */
const DELAY_MS = 700
const OVERLAP_MS = 3_000
/** Spans are checked this far apart. */
const CHECK_MS = 60_000
const ORDERS_PER_STEP = 1_000
const LEAST_SPAN_MS = 250
const MOST_SPAN_MS = 86_400_000

export type Indexer = {
  /** One step; true if there is more to do at once. */
  step(now: Date): Promise<boolean>
  /** How far the last step was behind payments. */
  behindMs(): number
}

export function createIndexer(db: Db, limit = ORDERS_PER_STEP): Indexer {
  // How much time a step reads: adapts to how many orders changed in the last one.
  let spanMs = 10_000
  let behindMs = 0

  async function readOn(tx: Tx, progress: Progress, now: Date): Promise<boolean> {
    behindMs = now.getTime() - progress.readUntil.getTime()
    const end = new Date(now.getTime() - DELAY_MS)
    const from = new Date(progress.readUntil.getTime() - OVERLAP_MS)
    const until = earlier(end, new Date(progress.readUntil.getTime() + spanMs))
    const rows = await readChanged(tx, from, until, limit)
    await index(tx, rows)
    const isFull = rows.length === limit
    if (isFull) spanMs = Math.max(spanMs / 2, LEAST_SPAN_MS)
    else if (rows.length < limit / 4) spanMs = Math.min(spanMs * 2, MOST_SPAN_MS)
    if (isFull) return true
    if (until > progress.readUntil) await writeProgress(tx, { ...progress, readUntil: until })
    return until < end
  }

  async function check(tx: Tx, progress: Progress, now: Date): Promise<boolean> {
    const end = committedBefore({ at: now })
    const until = earlier(end, new Date(progress.checkedUntil.getTime() + CHECK_MS * 10))
    const rows = await readChanged(tx, progress.checkedUntil, until, limit)
    await index(tx, rows)
    await index(tx, await readChosen(tx, limit))
    if (rows.length < limit) await writeProgress(tx, { ...progress, checkedUntil: until })
    return rows.length === limit || until < end
  }

  async function rebuild(tx: Tx, progress: Progress): Promise<boolean> {
    if (progress.rebuild === undefined) return false
    const rows = await readNext(tx, progress.rebuild, limit)
    await index(tx, rows)
    const last = rows.length < limit ? undefined : rows.at(-1)
    const next = last && { merNo: Number(last.mer_no), tradeNo: last.trade_no }
    await writeProgress(tx, { ...progress, rebuild: next })
    return next !== undefined
  }

  return {
    behindMs: () => behindMs,
    step: (now) =>
      db.transaction(async (tx) => {
        await tx.query({ text: inTimeRange })
        const progress = await lockProgress(tx, now)
        if (progress === undefined) return false
        if (await readOn(tx, progress, now)) return true
        const isCheckDue = progress.checkedUntil.getTime() + CHECK_MS < committedBefore({ at: now }).getTime()
        const after = (await lockProgress(tx, now)) ?? progress
        if (isCheckDue) return (await check(tx, after, now)) || after.rebuild !== undefined
        return rebuild(tx, after)
      }),
  }
}

/** Empties the index, and lets the worker build it from the orders. Searches find more and more meanwhile. */
export async function rebuildIndex(db: Db, now: Date): Promise<void> {
  await db.transaction((tx) => emptyIndex(tx, now))
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
