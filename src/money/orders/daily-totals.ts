// Owns order_totals and their deltas. Each decided payment is counted in exactly one cell: merchant, day, state,
// currencies, settled or not. When a payment moves to another cell, the same transaction adds a delta for each of the
// two cells. So payments never update a shared row. A worker folds the deltas into order_totals (fold-worker.ts).

import { makeId } from '../../platform/base/id.ts'
import type { Db, Statement } from '../../platform/postgres/db.ts'
import {
  bool,
  day,
  int4,
  int8,
  listOf,
  type Positioned,
  text,
  withPositions,
} from '../../platform/postgres/lists.ts'
import { foldValues, inScope, isOfSeveral, type Scope } from '../ledger/balances.ts'

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

/** The sums that a batch adds to the cells of one merchant. */
type Sums = { readonly merNo: number; orders: bigint; sourceAmount: bigint; settleAmount: bigint }

/** The sums that a batch adds to cells that differ only in their merchant. */
type Delta = { readonly cell: Cell; readonly at: Date; readonly sums: Map<number, Sums> }

/** Returns the statement that adds the steps to the totals. The list is empty if the totals do not change. */
export function totalsOf(steps: readonly Step[]): Statement[] {
  const added = addUp(steps)
  if (added.length === 0) return []
  const sums = added.flatMap((delta) => [...delta.sums.values()])
  const values = [...listed.values(sums), ...deltas.values(withPositions(added, (delta) => delta.sums.size))]
  return [{ name: 'totals.add', text: addText, values }]
}

// A delta lists a merchant only once, because `cellsText` in sum-totals.ts reads only the first element of a merchant.
function addUp(steps: readonly Step[]): Delta[] {
  const known: Delta[] = []
  for (const { cell, sign, sourceAmount, settleAmount, at } of steps) {
    const sums = sumsOf(deltaOf(known, cell, at), cell.merNo)
    sums.orders += sign
    sums.sourceAmount += sign * sourceAmount
    sums.settleAmount += sign * settleAmount
  }
  for (const { sums } of known) for (const one of sums.values()) if (isNothing(one)) sums.delete(one.merNo)
  return known.filter(({ sums }) => sums.size > 0)
}

// Finds the delta of a cell, or adds one. A batch has few cells, so a linear search is cheaper than building a key for
// each step.
function deltaOf(known: Delta[], cell: Cell, at: Date): Delta {
  for (const delta of known) if (isSameCell(delta.cell, cell)) return delta
  const made = { cell, at, sums: new Map() }
  known.push(made)
  return made
}

function isSameCell(one: Cell, other: Cell): boolean {
  return (
    one.localDay === other.localDay &&
    one.state === other.state &&
    one.currency === other.currency &&
    one.settleCurrency === other.settleCurrency &&
    one.settled === other.settled
  )
}

function sumsOf({ sums }: Delta, merNo: number): Sums {
  const known = sums.get(merNo)
  if (known !== undefined) return known
  const made = { merNo, orders: 0n, sourceAmount: 0n, settleAmount: 0n }
  sums.set(merNo, made)
  return made
}

function isNothing({ orders, sourceAmount, settleAmount }: Sums): boolean {
  return orders === 0n && sourceAmount === 0n && settleAmount === 0n
}

const listed = listOf<Sums>({
  mer_nos: int8((one) => one.merNo),
  orders: int8((one) => one.orders),
  source_amounts: int8((one) => one.sourceAmount),
  settle_amounts: int8((one) => one.settleAmount),
})

const deltas = listOf<Positioned<Delta>>(
  {
    local_day: day(({ cell }) => cell.localDay),
    delta_id: text((one) => makeId('D', 0, one.at)),
    state: int4(({ cell }) => cell.state),
    currency: text(({ cell }) => cell.currency),
    settle_currency: text(({ cell }) => cell.settleCurrency),
    settled: bool(({ cell }) => cell.settled),
    first: int4((one) => one.first),
    last: int4((one) => one.last),
  },
  5,
)

const addText = `
  insert into order_total_deltas (
    local_day, delta_id, state, currency, settle_currency, settled, mer_nos, orders, source_amounts, settle_amounts)
  select
    local_day, delta_id, state, currency, settle_currency, settled, ($1::int8[])[first:last],
    ($2::int8[])[first:last], ($3::int8[])[first:last], ($4::int8[])[first:last]
  from ${deltas.text}`

/** Folds waiting deltas and returns their number. Readers see the same sums before, during and after the fold. */
export async function foldTotals(db: Db, limit: number, scope?: Scope): Promise<number> {
  const values = foldValues(limit, scope)
  const [row] = await db.query<{ folded: bigint }>({ name: 'totals.fold', text: foldText, values })
  return Number(row?.folded ?? 0)
}

const foldText = `
  with taken as (
    delete from order_total_deltas where ctid = any (array(
      select ctid from order_total_deltas where ${inScope}
      order by local_day, delta_id limit $1 for update skip locked))
    returning local_day, state, currency, settle_currency, settled, mer_nos, orders, source_amounts, settle_amounts
  ), sums as (
    select
      unnest(mer_nos) as mer_no, local_day, state, currency, settle_currency, settled, unnest(orders) as orders,
      unnest(source_amounts) as source_amount, unnest(settle_amounts) as settle_amount
    from taken
  ), folded as (
    insert into order_totals as t (
      mer_no, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount)
    select mer_no, local_day, state, currency, settle_currency, settled, sum(orders), sum(source_amount), sum(settle_amount)
    from sums
    group by mer_no, local_day, state, currency, settle_currency, settled
    order by mer_no, local_day, state, currency, settle_currency, settled
    on conflict (mer_no, local_day, state, currency, settle_currency, settled) do update set
      orders = t.orders + excluded.orders,
      source_amount = t.source_amount + excluded.source_amount,
      settle_amount = t.settle_amount + excluded.settle_amount
  )
  select count(*) as folded from taken`

/**
 * Splits deltas of several merchants into one delta per merchant, so that each merchant's deltas can be folded
 * separately. Returns the number of deltas that were split.
 */
export async function splitTotals(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ split: bigint }>({ text: splitText, values: [limit] })
  return Number(row?.split ?? 0)
}

const splitText = `
  with taken as (
    delete from order_total_deltas where ctid = any (array(
      select ctid from order_total_deltas where ${isOfSeveral} limit $1 for update skip locked))
    returning
      local_day, delta_id, state, currency, settle_currency, settled, mer_nos, orders, source_amounts, settle_amounts
  ), made as (
    insert into order_total_deltas (
      local_day, delta_id, state, currency, settle_currency, settled, mer_nos, orders, source_amounts, settle_amounts)
    select
      local_day, delta_id || '.' || s.mer_no, state, currency, settle_currency, settled,
      array[s.mer_no], array[s.orders], array[s.source_amount], array[s.settle_amount]
    from taken t, unnest(t.mer_nos, t.orders, t.source_amounts, t.settle_amounts)
      as s (mer_no, orders, source_amount, settle_amount)
  )
  select count(*) as split from taken`
