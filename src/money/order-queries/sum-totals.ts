// Sums of a merchant's pay-ins by currency. They come from the daily totals, so the cost depends on days and currencies, not
// on orders. Orders that are given by number are few and are read directly.

import { State, type StateNumber, wasPaid } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import { arrayOf, bool, int4, itself, text } from '../postgres/lists.ts'
import { cellsText } from './totals-sql.ts'

/** An empty list and a missing day do not filter. */
export type TotalsFilter = {
  readonly merNo: number
  readonly firstDay: string | undefined
  readonly lastDay: string | undefined
  readonly states: readonly StateNumber[]
  readonly currencies: readonly string[]
  readonly settleCurrencies: readonly string[]
  /** Any value excludes unpaid orders: only paid ones can be settled or not. */
  readonly settled: readonly boolean[]
  readonly merOrderNos: readonly string[]
}

/** In minor units, by currency. */
export type Totals = {
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
    // A filter that matches no state differs from no filter.
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

// A cell without orders adds no currency to the result.
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
