// Owns order_keys, indexed_orders, order_counts and order_index_progress. Every writer locks the row of
// order_index_progress, so one node writes at a time.

import type { Tx } from '../../../platform/postgres/db.ts'
import { day, int4, int8, listOf, text, time } from '../../../platform/postgres/lists.ts'
import type { OrderKey, StateNumber } from '../../orders/order.ts'

export type IndexEntry = OrderKey & {
  readonly version: number
  readonly attempts: number
  readonly keys: readonly string[]
  readonly cell: CountCell
}

export type CountCell = {
  readonly localDay: string
  readonly hour: number
  readonly method: string
  readonly state: StateNumber
  readonly currency: string
  readonly amount: bigint
  readonly reason: string
}

export type KeyRow = OrderKey & { readonly key: string; readonly createdAt: Date }

/**
 * A change of one cell of the counts. The number and the amount are positive for orders that enter the cell, and
 * negative for orders that leave it.
 */
export type CountStep = {
  readonly merNo: number
  readonly cell: CountCell
  readonly orders: bigint
  readonly amount: bigint
}

const entries = listOf<IndexEntry>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  version: int4((one) => one.version),
  attempts: int4((one) => one.attempts),
  keys: text((one) => one.keys.join('\n')),
  local_day: day((one) => one.cell.localDay),
  hour: int4((one) => one.cell.hour),
  method: text((one) => one.cell.method),
  state: int4((one) => one.cell.state),
  currency: text((one) => one.cell.currency),
  amount: int8((one) => one.cell.amount),
  reason: text((one) => one.cell.reason),
})

const entriesText = `
  insert into indexed_orders (
    mer_no, trade_no, version, attempts, keys, local_day, hour, method, state, currency, amount, reason)
  select mer_no, trade_no, version, attempts, keys, local_day, hour, method, state, currency, amount, reason
  from ${entries.text}
  on conflict (mer_no, trade_no) do update set
    version = excluded.version, attempts = excluded.attempts, keys = excluded.keys, method = excluded.method,
    state = excluded.state, reason = excluded.reason`

export async function writeEntries(tx: Tx, rows: readonly IndexEntry[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query({ name: 'order-index.entries', text: entriesText, values: entries.values(rows) })
}

const keyRows = listOf<KeyRow>({
  mer_no: int8((one) => one.merNo),
  key: text((one) => one.key),
  created_at: time((one) => one.createdAt),
  trade_no: text((one) => one.tradeNo),
})

export async function addKeys(tx: Tx, rows: readonly KeyRow[]): Promise<void> {
  if (rows.length === 0) return
  const addText = `
    insert into order_keys (mer_no, key, created_at, trade_no)
    select mer_no, key, created_at, trade_no from ${keyRows.text}
    order by mer_no, key, created_at, trade_no
    on conflict do nothing`
  await tx.query({ name: 'order-index.add-keys', text: addText, values: keyRows.values(rows) })
}

export async function removeKeys(tx: Tx, rows: readonly KeyRow[]): Promise<void> {
  if (rows.length === 0) return
  const removeText = `
    delete from order_keys k using ${keyRows.text}
    where k.mer_no = g.mer_no and k.key = g.key and k.created_at = g.created_at and k.trade_no = g.trade_no`
  await tx.query({ name: 'order-index.remove-keys', text: removeText, values: keyRows.values(rows) })
}

const steps = listOf<CountStep>({
  mer_no: int8((one) => one.merNo),
  local_day: day((one) => one.cell.localDay),
  hour: int4((one) => one.cell.hour),
  method: text((one) => one.cell.method),
  state: int4((one) => one.cell.state),
  currency: text((one) => one.cell.currency),
  reason: text((one) => one.cell.reason),
  orders: int8((one) => one.orders),
  amount: int8((one) => one.amount),
})

const countText = `
  insert into order_counts as c (mer_no, local_day, hour, method, state, currency, reason, orders, amount)
  select mer_no, local_day, hour, method, state, currency, reason, sum(orders), sum(amount)
  from ${steps.text}
  group by mer_no, local_day, hour, method, state, currency, reason
  on conflict (mer_no, local_day, hour, method, state, currency, reason)
  do update set orders = c.orders + excluded.orders, amount = c.amount + excluded.amount`

export async function writeCounts(tx: Tx, changes: readonly CountStep[]): Promise<void> {
  if (changes.length === 0) return
  await tx.query({ name: 'order-index.count', text: countText, values: steps.values(changes) })
}

export type Progress = {
  readonly readUntil: Date
  readonly checkedUntil: Date
  /** The order after which a rebuild continues. Undefined if there is no rebuild. */
  readonly rebuild: OrderKey | undefined
}

type ProgressRow = {
  readonly read_until: Date
  readonly checked_until: Date
  readonly rebuild_mer_no: bigint | null
  readonly rebuild_trade_no: string | null
}

/**
 * Locks the progress of the index and returns it. Undefined if another node holds the lock. The first call starts a
 * rebuild, because orders may be older than the index.
 */
export async function lockProgress(tx: Tx, now: Date): Promise<Progress | undefined> {
  const [row] = await tx.query<ProgressRow>({
    name: 'order-index.lock',
    text: `select read_until, checked_until, rebuild_mer_no, rebuild_trade_no
      from order_index_progress for update skip locked`,
  })
  if (row !== undefined) return toProgress(row)
  const [inserted] = await tx.query<ProgressRow>({
    text: `
      insert into order_index_progress (read_until, checked_until, rebuild_mer_no, rebuild_trade_no)
      values ($1, $1, -1, '') on conflict do nothing
      returning read_until, checked_until, rebuild_mer_no, rebuild_trade_no`,
    values: [now],
  })
  return inserted && toProgress(inserted)
}

function toProgress(row: ProgressRow): Progress {
  const { rebuild_mer_no: merNo, rebuild_trade_no: tradeNo } = row
  const rebuild = merNo === null || tradeNo === null ? undefined : { merNo: Number(merNo), tradeNo }
  return { readUntil: row.read_until, checkedUntil: row.checked_until, rebuild }
}

export async function writeProgress(tx: Tx, progress: Progress): Promise<void> {
  const { readUntil, checkedUntil, rebuild } = progress
  await tx.query({
    name: 'order-index.progress',
    text: `update order_index_progress
      set read_until = $1, checked_until = $2, rebuild_mer_no = $3, rebuild_trade_no = $4`,
    values: [readUntil, checkedUntil, rebuild?.merNo ?? null, rebuild?.tradeNo ?? null],
  })
}

/** Waits for an indexing step that is under way, and empties the index. The worker then fills the index again. */
export async function emptyIndex(tx: Tx, now: Date): Promise<void> {
  await tx.query({ text: 'select singleton from order_index_progress for update' })
  await tx.query({ text: 'truncate order_keys, indexed_orders, order_counts' })
  await tx.query({ text: 'delete from order_index_progress' })
  await lockProgress(tx, now)
}
