// Owns order_totals and their deltas. A decided pay-in stands in exactly one cell: merchant, day, state, currencies,
// settled or not. Every change of cell adds two deltas in the transaction that makes it; nobody updates a shared row.
import type { Db, Tx } from '../base/db.ts'
import { makeId } from '../base/id.ts'

export type Cell = {
  readonly merNo: number
  readonly localDay: string
  readonly state: number
  readonly currency: string
  readonly settleCurrency: string
  readonly settled: boolean
}

/** An order that enters (+1) or leaves (−1) a cell. */
export type Step = {
  readonly cell: Cell
  readonly sign: 1n | -1n
  readonly sourceAmount: bigint
  readonly settleAmount: bigint
  readonly at: Date
}

type Delta = Cell & { at: Date; orders: bigint; sourceAmount: bigint; settleAmount: bigint }

export async function addTotals(tx: Tx, steps: readonly Step[]): Promise<void> {
  const rows = sum(steps).map(toRow)
  if (rows.length === 0) return
  await tx.query({ name: 'totals.add', text: addText, values: [JSON.stringify(rows)] })
}

function sum(steps: readonly Step[]): Delta[] {
  const deltas = new Map<string, Delta>()
  for (const { cell, sign, sourceAmount, settleAmount, at } of steps) {
    const key = Object.values(cell).join(' ')
    const delta = deltas.get(key) ?? { ...cell, at, orders: 0n, sourceAmount: 0n, settleAmount: 0n }
    delta.orders += sign
    delta.sourceAmount += sign * sourceAmount
    delta.settleAmount += sign * settleAmount
    deltas.set(key, delta)
  }
  const isNothing = (delta: Delta) =>
    delta.orders === 0n && delta.sourceAmount === 0n && delta.settleAmount === 0n
  return [...deltas.values()].filter((delta) => !isNothing(delta))
}

function toRow(delta: Delta) {
  return {
    mer_no: delta.merNo,
    delta_id: makeId('D', delta.merNo, delta.at),
    local_day: delta.localDay,
    state: delta.state,
    currency: delta.currency,
    settle_currency: delta.settleCurrency,
    settled: delta.settled,
    orders: delta.orders.toString(),
    source_amount: delta.sourceAmount.toString(),
    settle_amount: delta.settleAmount.toString(),
  }
}

const addText = `
  insert into order_total_deltas (
    mer_no, delta_id, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount)
  select
    mer_no, delta_id, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount
  from json_to_recordset($1) as d (
    mer_no bigint, delta_id text, local_day date, state smallint, currency text, settle_currency text, settled boolean,
    orders bigint, source_amount bigint, settle_amount bigint)`

/** Folds waiting deltas into the totals; how many. Readers see the same sums before, during and after. */
export async function foldTotals(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ folded: bigint }>({ name: 'totals.fold', text: foldText, values: [limit] })
  return Number(row?.folded ?? 0)
}

const foldText = `
  with taken as (
    delete from order_total_deltas where (mer_no, delta_id) in (
      select mer_no, delta_id from order_total_deltas order by mer_no, delta_id limit $1 for update skip locked)
    returning mer_no, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount
  ), folded as (
    insert into order_totals as t (
      mer_no, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount)
    select mer_no, local_day, state, currency, settle_currency, settled, sum(orders), sum(source_amount), sum(settle_amount)
    from taken
    group by mer_no, local_day, state, currency, settle_currency, settled
    order by mer_no, local_day, state, currency, settle_currency, settled
    on conflict (mer_no, local_day, state, currency, settle_currency, settled) do update set
      orders = t.orders + excluded.orders,
      source_amount = t.source_amount + excluded.source_amount,
      settle_amount = t.settle_amount + excluded.settle_amount
  )
  select count(*) as folded from taken`
