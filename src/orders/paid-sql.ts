import type { Tx } from '../postgres/db.ts'
import type { PlannedPaidChange } from './change-paid-orders.ts'
import { toRate } from './lock-orders.ts'
import type { StateNumber } from './order.ts'
import { type ChargebackState, type PaidOrder, wasPaid } from './paid-order.ts'

type Row = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  method: string
  channel: string
  attempt_no: number
  channel_ref: string | null
  state: StateNumber
  version: number
  local_day: string
  protest_notify_url: string
  currency: string
  amount: bigint
  received: bigint | null
  settle_currency: string
  settle_rate: string | null
  settle_amount: bigint | null
  handling_fee: bigint | null
  processing_fee: bigint | null
  margin: bigint | null
  margin_held: bigint
  margin_disputed: bigint
  margin_released: boolean
  remainder: bigint | null
  settled: boolean
  settled_source: bigint
  refunded: bigint
  refunds_open: number
  charged_back: bigint
  chargeback_state: ChargebackState | null
  exception_fees: bigint
}

export type OrderKey = { readonly merNo: number; readonly tradeNo: string }

/** Locks them, in key order. */
export async function selectPaidOrders(tx: Tx, keys: readonly OrderKey[]): Promise<Map<string, PaidOrder>> {
  const given = keys.map(({ merNo, tradeNo }) => ({ mer_no: merNo, trade_no: tradeNo }))
  const rows = await tx.query<Row>({ name: 'paid.lock', text: lockText, values: [JSON.stringify(given)] })
  return new Map(rows.filter((row) => wasPaid(row.state)).map((row) => [row.trade_no, toPaidOrder(row)]))
}

// The attempt that took the money is decided and changes no more: it need not be locked.
const lockText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.method, a.channel, a.attempt_no, a.channel_ref, o.state, o.version,
    o.local_day::text as local_day, o.protest_notify_url, o.currency, o.amount, o.received,
    o.settle_currency, o.settle_rate, o.settle_amount, o.handling_fee, o.processing_fee,
    o.margin, o.margin_held, o.margin_disputed, o.margin_released_at is not null as margin_released,
    o.remainder, o.settled_at is not null as settled, o.settled_source,
    o.refunded, o.refunds_open, o.charged_back, o.chargeback_state, o.exception_fees
  from json_to_recordset($1) as g (mer_no bigint, trade_no text)
  join orders o using (mer_no, trade_no)
  join attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no and a.state = 'succeeded'
  where o.kind = 'payment'
  order by o.mer_no, o.trade_no
  for update of o`

function toPaidOrder(row: Row): PaidOrder {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    method: row.method,
    channel: row.channel,
    attemptNo: row.attempt_no,
    channelRef: row.channel_ref ?? undefined,
    state: row.state,
    version: row.version,
    localDay: row.local_day,
    sourceAmount: row.amount,
    protestNotifyUrl: row.protest_notify_url,
    fees: (row.handling_fee ?? 0n) + (row.processing_fee ?? 0n),
    settleAmount: row.settle_amount ?? 0n,
    refundsOpen: row.refunds_open,
    chargeback: row.chargeback_state ?? undefined,
    position: {
      amount: paidAmount(row),
      currency: row.currency,
      settleCurrency: row.settle_currency,
      rate: row.currency === row.settle_currency ? undefined : toRate(row.settle_rate),
      margin: row.margin ?? 0n,
      marginHeld: row.margin_held,
      marginDisputed: row.margin_disputed,
      marginReleased: row.margin_released,
      remainder: row.remainder ?? 0n,
      settled: row.settled,
      settledSource: row.settled_source,
      refunded: row.refunded,
      chargedBack: row.charged_back,
      exceptionFees: row.exception_fees,
    },
  }
}

/** Less than asked where an operator took short money for the order; what came in surplus is not the order's. */
function paidAmount({ amount, received }: Row): bigint {
  return received === null || received > amount ? amount : received
}

/** How many orders were still at the version that the change saw. */
export async function updatePaidOrders(tx: Tx, changes: readonly PlannedPaidChange[]): Promise<number> {
  const rows = await tx.query<{ trade_no: string }>({
    name: 'paid.update',
    text: updateText,
    values: [JSON.stringify(changes.map(toUpdateRow))],
  })
  return rows.length
}

function toUpdateRow({ order, after, why, at }: PlannedPaidChange) {
  const { position } = after
  return {
    mer_no: order.merNo,
    trade_no: order.tradeNo,
    version: order.version,
    new_version: after.version,
    from_state: order.state,
    to_state: after.state,
    why,
    at,
    remainder: position.remainder.toString(),
    settled: position.settled,
    settled_source: position.settledSource.toString(),
    margin_held: position.marginHeld.toString(),
    margin_disputed: position.marginDisputed.toString(),
    margin_released: position.marginReleased,
    refunded: position.refunded.toString(),
    refunds_open: after.refundsOpen,
    charged_back: position.chargedBack.toString(),
    chargeback_state: after.chargeback,
    exception_fees: position.exceptionFees.toString(),
  }
}

const updateText = `
  with given as materialized (
    select * from json_to_recordset($1) as g (
      mer_no bigint, trade_no text, version integer, new_version integer, from_state smallint, to_state smallint,
      why text, at timestamptz, remainder bigint, settled boolean, settled_source bigint, margin_held bigint, margin_disputed bigint,
      margin_released boolean, refunded bigint, refunds_open integer, charged_back bigint, chargeback_state text,
      exception_fees bigint)
  ), told as (
    insert into order_events (mer_no, trade_no, version, from_state, to_state, why, at)
    select mer_no, trade_no, new_version, from_state, to_state, why, at from given where to_state <> from_state
  )
  update orders o set
    state = g.to_state,
    version = g.new_version,
    remainder = g.remainder,
    settled_at = case when g.settled then coalesce(o.settled_at, g.at) end,
    settled_source = g.settled_source,
    margin_held = g.margin_held,
    margin_disputed = g.margin_disputed,
    margin_released_at = case when g.margin_released then coalesce(o.margin_released_at, g.at) end,
    refunded = g.refunded,
    refunds_open = g.refunds_open,
    charged_back = g.charged_back,
    chargeback_state = g.chargeback_state,
    exception_fees = g.exception_fees
  from given g
  where o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.version = g.version
  returning o.trade_no`
