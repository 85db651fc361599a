// Computes sums of orders. Balances, totals, limits and dues are compared with these sums. A query computes the sums of
// one slice, and the audit adds up the sums of all slices. So no query has to read all orders of a large merchant.
import { inKeyRange } from '../../../platform/postgres/key-range.ts'
import { bool, day, int4, int8, listOf, numeric, text } from '../../../platform/postgres/lists.ts'
import { State, wasPaid } from '../../orders/order.ts'

const states = Object.values(State)

export const PAID = `(${states.filter(wasPaid).join(', ')})`

/** The conditions for a settlement due and for a margin due. An order has the due exactly while the condition holds. */
export const settlementIsDue = `(kind = 'payment' and state in ${PAID} and settled_at is null)`
export const marginIsDue = `(kind = 'payment' and state in ${PAID} and coalesce(margin, 0) > 0 and margin_released_at is null)`

/** The sums of all orders that have the same values in the columns other than `sums`. */
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

/** Returns the SQL for the beginning of the day `days` days after the payment, in the merchant's time zone. */
const daysAfter = (days: string) =>
  `(((decided_at at time zone timezone)::date + ${days})::timestamp at time zone timezone)`
export const settlesAt = daysAfter('settle_days')
export const releasesAt = daysAfter('margin_days')

/** Returns the SQL for a fingerprint of orders and their due times, which does not depend on the order of the rows. */
export const fingerprint = (condition: string, dueAt: string) =>
  `coalesce(sum(hashtextextended(trade_no || extract(epoch from ${dueAt})::bigint, 0)) filter (where ${condition}), 0)`

/** The SQL of each sum, in the sequence of the array `sums`. */
const summed = {
  orders: 'count(*)',
  amount: 'sum(amount)',
  settle_amount: 'sum(coalesce(settle_amount, 0))',
  usd_value: 'sum(usd_value)',
  remainder: 'sum(coalesce(remainder, 0))',
  margin_held: 'sum(margin_held)',
  settle_dues: fingerprint(settlementIsDue, settlesAt),
  margin_dues: fingerprint(marginIsDue, releasesAt),
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

/** The sums of all slices, as a table in the queries of the checks. */
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

/** Returns the sums of the orders that count against the platform's limits, as sums of merchant 0. */
export function platformSums(rows: readonly OrderSum[]): OrderSum[] {
  return rows
    .filter((row) => row.platform_limited)
    .map((row) => ({ ...row, mer_no: 0n, currency: '', settle_currency: '', settled: false }))
}
