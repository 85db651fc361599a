// The sums of orders with which balances, totals, limits and dues are compared. A query computes those of one slice; the audit
// adds them up, so that no query has to read all orders of a large merchant.
import { inKeyRange } from '../../postgres/key-range.ts'
import { bool, day, int4, int8, listOf, numeric, text } from '../../postgres/lists.ts'
import { marginIsDue, settlementIsDue } from './states.ts'

/** One row for all orders that agree in these columns. */
export type OrderSum = {
  readonly mer_no: bigint
  readonly kind: string
  readonly method: string
  readonly local_day: string
  readonly state: number
  readonly currency: string
  readonly settle_currency: string
  readonly settled: boolean
  readonly platform_limited: boolean
  readonly sums: readonly string[]
}

/** Two lists of trade numbers have the same fingerprint if they contain the same numbers, each as often. */
export const fingerprint = (condition: string) =>
  `coalesce(sum(hashtextextended(trade_no, 0)) filter (where ${condition}), 0)`

/** What is summed, in the order of `sums`. */
const summed = {
  orders: 'count(*)',
  amount: 'sum(amount)',
  settle_amount: 'sum(coalesce(settle_amount, 0))',
  usd_value: 'sum(usd_value)',
  remainder: 'sum(coalesce(remainder, 0))',
  margin_held: 'sum(margin_held)',
  settle_dues: fingerprint(settlementIsDue),
  margin_dues: fingerprint(marginIsDue),
}

export const orderSumsText = `
  select mer_no, kind, method, local_day::text as local_day, state, currency, settle_currency,
    settled_at is not null as settled, platform_limited, array[${Object.values(summed).join(', ')}]::text[] as sums
  from orders where ${inKeyRange('mer_no', 'trade_no')}
  group by mer_no, kind, method, orders.local_day, state, currency, settle_currency, settled_at is not null,
    platform_limited`

const sumColumns = Object.fromEntries(
  Object.keys(summed).map((name, at) => [name, numeric<OrderSum>(({ sums }) => sums[at])]),
)

/** The added sums, as a table for the checks. */
export const orderSums = listOf<OrderSum>(
  {
    mer_no: int8((one) => one.mer_no),
    kind: text((one) => one.kind),
    method: text((one) => one.method),
    local_day: day((one) => one.local_day),
    state: int4((one) => one.state),
    currency: text((one) => one.currency),
    settle_currency: text((one) => one.settle_currency),
    settled: bool((one) => one.settled),
    platform_limited: bool((one) => one.platform_limited),
    ...sumColumns,
  },
  3,
)

/** The orders of merchants count for the platform's limits as if they were orders of merchant 0. */
export function platformSums(rows: readonly OrderSum[]): OrderSum[] {
  return rows
    .filter((row) => row.platform_limited)
    .map((row) => ({ ...row, mer_no: 0n, currency: '', settle_currency: '', settled: false }))
}
