// Owns order_totals and their deltas. A decided pay-in is in exactly one cell: merchant, day, state, currencies, settled or
// not. A change of cell adds two deltas in its own transaction, so payments never update a shared row.

import { makeId } from '../base/id.ts'
import { foldValues, inScope, type Scope } from '../ledger/fold.ts'
import type { Db, Statement } from '../postgres/db.ts'
import { bool, day, int4, int8, listOf, text } from '../postgres/lists.ts'

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

/** Returns one statement, or none if nothing changes. */
export function totalsOf(steps: readonly Step[]): Statement[] {
  const rows = sum(steps)
  return rows.length === 0 ? [] : [{ name: 'totals.add', text: addText, values: deltas.values(rows) }]
}

function sum(steps: readonly Step[]): Delta[] {
  const sums = new Map<number, Delta[]>()
  for (const { cell, sign, sourceAmount, settleAmount, at } of steps) {
    const known = sums.get(cell.merNo) ?? []
    if (known.length === 0) sums.set(cell.merNo, known)
    const delta = deltaOf(known, cell, at)
    delta.orders += sign
    delta.sourceAmount += sign * sourceAmount
    delta.settleAmount += sign * settleAmount
  }
  const isNothing = (delta: Delta) =>
    delta.orders === 0n && delta.sourceAmount === 0n && delta.settleAmount === 0n
  return [...sums.values()].flat().filter((delta) => !isNothing(delta))
}

/** A batch has few cells per merchant: a linear search is cheaper than a key for each step. */
function deltaOf(known: Delta[], cell: Cell, at: Date): Delta {
  for (const delta of known) if (isSameCell(delta, cell)) return delta
  const delta = { ...cell, at, orders: 0n, sourceAmount: 0n, settleAmount: 0n }
  known.push(delta)
  return delta
}

function isSameCell(one: Cell, other: Cell): boolean {
  return (
    one.merNo === other.merNo &&
    one.localDay === other.localDay &&
    one.state === other.state &&
    one.currency === other.currency &&
    one.settleCurrency === other.settleCurrency &&
    one.settled === other.settled
  )
}

const deltas = listOf<Delta>({
  mer_no: int8((one) => one.merNo),
  delta_id: text((one) => makeId('D', one.merNo, one.at)),
  local_day: day((one) => one.localDay),
  state: int4((one) => one.state),
  currency: text((one) => one.currency),
  settle_currency: text((one) => one.settleCurrency),
  settled: bool((one) => one.settled),
  orders: int8((one) => one.orders),
  source_amount: int8((one) => one.sourceAmount),
  settle_amount: int8((one) => one.settleAmount),
})

const addText = `
  insert into order_total_deltas (
    mer_no, delta_id, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount)
  select
    mer_no, delta_id, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount
  from ${deltas.text}`

/** Folds waiting deltas into the totals and returns their number. Readers see the same sums before, during and after. */
export async function foldTotals(db: Db, limit: number, scope?: Scope): Promise<number> {
  const values = foldValues(limit, scope)
  const [row] = await db.query<{ folded: bigint }>({ name: 'totals.fold', text: foldText, values })
  return Number(row?.folded ?? 0)
}

const foldText = `
  with taken as (
    delete from order_total_deltas where ctid = any (array(
      select ctid from order_total_deltas where ${inScope}
      order by mer_no, delta_id limit $1 for update skip locked))
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
