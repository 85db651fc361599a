// Sums a merchant's payments by currency. The sums come from the daily totals and from the undecided orders, so their
// cost depends on the number of days, currencies and undecided orders, not on the number of all orders. If the query
// lists order numbers, only these orders are read.
import type { Queryable } from '../../platform/postgres/db.ts'
import { arrayOf, bool, int4, itself, text } from '../../platform/postgres/lists.ts'
import { State, type StateNumber, wasPaid } from '../orders/order.ts'

/**
 * Selects a merchant's daily totals from three sources: folded totals, deltas that wait to be folded, and undecided
 * orders (with an open attempt, hosted, or in review), which are counted one by one. One statement reads all three
 * sources, so the result is consistent. The parameters are the merchant ($1), the first day ($2) and the last day ($3).
 */
export const cellsText = `
  select local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount
  from order_totals where mer_no = $1 and local_day between $2 and $3
  union all
  select
    local_day, state, currency, settle_currency, settled, orders[array_position(mer_nos, $1::bigint)],
    source_amounts[array_position(mer_nos, $1::bigint)], settle_amounts[array_position(mer_nos, $1::bigint)]
  from order_total_deltas where $1::bigint = any (mer_nos) and local_day between $2 and $3
  union all
  select o.local_day, o.state, o.currency, o.settle_currency, false, 1, o.amount, 0
  from (
    select trade_no from attempt_rows where mer_no = $1 and ask_at is not null
    union
    select calls_under_way($1)
    union
    select trade_no from hosted_orders where mer_no = $1
    union
    select trade_no from orders where mer_no = $1 and needs_review and state in (24, 25)
  ) a
  cross join lateral (
    -- The limit keeps the planner from reading all orders instead of these few, whatever it believes of the table.
    select local_day, state, currency, settle_currency, amount, kind from orders
    where mer_no = $1 and trade_no = a.trade_no limit 1
  ) o
  where o.local_day between $2 and $3 and o.kind = 'payment' and o.state in (1, 24, 25)`

/** The filter of the totals. An empty list, or a day that is undefined, does not restrict the totals. */
export type TotalsFilter = {
  readonly merNo: number
  readonly firstDay: string | undefined
  readonly lastDay: string | undefined
  readonly states: readonly StateNumber[]
  readonly currencies: readonly string[]
  readonly settleCurrencies: readonly string[]
  /**
   * True selects settled orders, false selects unsettled orders. A filter on settlement excludes unpaid orders, because
   * only paid orders can be settled or unsettled.
   */
  readonly settled: readonly boolean[]
  readonly merOrderNos: readonly string[]
}

/** Sums in minor units, by currency. */
type Totals = {
  readonly source: ReadonlyMap<string, bigint>
  readonly settle: ReadonlyMap<string, bigint>
}

type Row = { currency: string; settle_currency: string; source_amount: string; settle_amount: string }

export async function queryTotals(db: Queryable, filter: TotalsFilter): Promise<Totals> {
  const values = [
    filter.merNo,
    filter.firstDay ?? '-infinity',
    filter.lastDay ?? 'infinity',
    states.value(filter.settled.length === 0 ? filter.states : paidOnly(filter.states)),
    currencies.value(filter.currencies),
    settleCurrencies.value(filter.settleCurrencies),
    settled.value(filter.settled),
    // True if there is a filter on settlement. With this filter, an empty list of states selects no order. Without it,
    // an empty list of states selects all orders.
    filter.settled.length > 0,
  ]
  const rows = await (filter.merOrderNos.length === 0
    ? db.query<Row>({ name: 'totals.query', text: sumText(cellsText), values })
    : db.query<Row>({
        name: 'totals.by-number',
        text: byNumberText,
        values: [...values, merOrderNos.value(filter.merOrderNos)],
      }))
  return {
    source: addUp(rows.map((row) => [row.currency, BigInt(row.source_amount)])),
    settle: addUp(rows.map((row) => [row.settle_currency, BigInt(row.settle_amount)])),
  }
}

function paidOnly(states: readonly StateNumber[]): StateNumber[] {
  return Object.values(State).filter(
    (state) => wasPaid(state) && (states.length === 0 || states.includes(state)),
  )
}

function addUp(parts: readonly (readonly [string, bigint])[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const [currency, amount] of parts) sums.set(currency, (sums.get(currency) ?? 0n) + amount)
  return new Map([...sums].sort(([one], [other]) => (one < other ? -1 : 1)))
}

const states = arrayOf(int4<number>(itself), 4)
const currencies = arrayOf(text<string>(itself), 5)
const settleCurrencies = arrayOf(text<string>(itself), 6)
const settled = arrayOf(bool<boolean>(itself), 7)
const merOrderNos = arrayOf(text<string>(itself), 9)

// A currency without orders is not in the result.
function sumText(cells: string): string {
  return `
    select currency, settle_currency,
      sum(source_amount)::text as source_amount, sum(settle_amount)::text as settle_amount
    from (${cells}) as cells
    where
      (state = any (${states.text}) or (cardinality(${states.text}) = 0 and not $8))
      and (currency = any (${currencies.text}) or cardinality(${currencies.text}) = 0)
      and (settle_currency = any (${settleCurrencies.text}) or cardinality(${settleCurrencies.text}) = 0)
      and (settled = any (${settled.text}) or cardinality(${settled.text}) = 0)
    group by currency, settle_currency
    having sum(orders) <> 0`
}

const byNumberText = sumText(`
  select local_day, state, currency, settle_currency, settled_at is not null as settled,
    1 as orders, amount as source_amount, coalesce(settle_amount, 0) as settle_amount
  from orders
  where mer_no = $1 and local_day between $2 and $3 and kind = 'payment' and mer_order_no = any (${merOrderNos.text})`)
