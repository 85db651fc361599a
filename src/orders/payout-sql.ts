import { formatRate } from '../base/money.ts'
import type { Tx } from '../postgres/db.ts'
import type { StateNumber } from './order.ts'
import type { OrderKey } from './paid-sql.ts'
import type { NewPayoutOrder, PayoutOrder, PayoutOrderChange } from './payout-orders.ts'

export async function insertOrders(tx: Tx, orders: readonly NewPayoutOrder[]): Promise<Set<string>> {
  const rows = await tx.query<{ trade_no: string }>({
    name: 'payout-orders.insert',
    text: insertText,
    values: [JSON.stringify(orders.map(toInsertRow))],
  })
  return new Set(rows.map((row) => row.trade_no))
}

function toInsertRow(order: NewPayoutOrder) {
  return {
    mer_no: order.merNo,
    trade_no: order.tradeNo,
    mer_order_no: order.merOrderNo,
    method: order.method,
    currency: order.money.currency,
    amount: order.money.amount.toString(),
    message: order.message,
    return_url: order.returnUrl,
    notify_url: order.notifyUrl,
    created_at: order.createdAt,
    local_day: order.localDay,
    timezone: order.timezone,
    usd_value: order.usdValue.toString(),
    platform_limited: order.limits.some((limit) => limit.merNo === 0),
    fee_bps: order.feeBps,
    fee_fixed: order.feeFixed.toString(),
    settle_currency: order.settleCurrency,
    settle_rate: order.settleRate && formatRate(order.settleRate),
  }
}

// A payout has no margin and settles at no later day.
const insertText = `
  insert into orders (
    mer_no, trade_no, mer_order_no, kind, method, currency, amount, state, message, return_url, notify_url,
    created_at, local_day, timezone, usd_value, platform_limited, fee_bps, fee_fixed,
    margin_bps, margin_days, settle_days, settle_currency, settle_rate)
  select
    mer_no, trade_no, mer_order_no, 'payout', method, currency, amount, 1, message, return_url, notify_url,
    created_at, local_day, timezone, usd_value, platform_limited, fee_bps, fee_fixed,
    0, 0, 0, settle_currency, settle_rate
  from json_to_recordset($1) as g (
    mer_no bigint, trade_no text, mer_order_no text, method text, currency text, amount bigint, message text,
    return_url text, notify_url text, created_at timestamptz, local_day date, timezone text, usd_value bigint,
    platform_limited boolean, fee_bps integer, fee_fixed bigint, settle_currency text, settle_rate numeric)
  on conflict on constraint orders_number_unique do nothing
  returning trade_no`

type Row = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  currency: string
  amount: bigint
  state: StateNumber
  version: number
  message: string
  notify_url: string
  local_day: string
  usd_value: bigint
  platform_limited: boolean
  fee_bps: number
  fee_fixed: bigint
}

export async function lockOrders(tx: Tx, keys: readonly OrderKey[]): Promise<Map<string, PayoutOrder>> {
  const given = keys.map(({ merNo, tradeNo }) => ({ mer_no: merNo, trade_no: tradeNo }))
  const rows = await tx.query<Row>({
    name: 'payout-orders.lock',
    text: lockText,
    values: [JSON.stringify(given)],
  })
  return new Map(rows.map((row) => [row.trade_no, toOrder(row)]))
}

const lockText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.currency, o.amount, o.state, o.version, o.message, o.notify_url,
    o.local_day::text as local_day, o.usd_value, o.platform_limited, o.fee_bps, o.fee_fixed
  from json_to_recordset($1) as g (mer_no bigint, trade_no text)
  join orders o using (mer_no, trade_no)
  where o.kind = 'payout'
  order by o.mer_no, o.trade_no
  for update of o`

function toOrder(row: Row): PayoutOrder {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    money: { amount: row.amount, currency: row.currency },
    state: row.state,
    version: row.version,
    message: row.message,
    notifyUrl: row.notify_url,
    localDay: row.local_day,
    usdValue: row.usd_value,
    platformLimited: row.platform_limited,
    feeBps: row.fee_bps,
    feeFixed: row.fee_fixed,
  }
}

/** How many orders were still at the version that the change saw. */
export async function updateOrders(tx: Tx, changes: readonly PayoutOrderChange[]): Promise<number> {
  const rows = await tx.query<{ trade_no: string }>({
    name: 'payout-orders.update',
    text: updateText,
    values: [JSON.stringify(changes.map(toUpdateRow))],
  })
  return rows.length
}

function toUpdateRow({ order, state, message, fees, at }: PayoutOrderChange) {
  return {
    mer_no: order.merNo,
    trade_no: order.tradeNo,
    version: order.version,
    from_state: order.state,
    to_state: state,
    message,
    at,
    handling_fee: fees?.handling.toString(),
    processing_fee: fees?.processing.toString(),
  }
}

const updateText = `
  with given as materialized (
    select * from json_to_recordset($1) as g (
      mer_no bigint, trade_no text, version integer, from_state smallint, to_state smallint, message text,
      at timestamptz, handling_fee bigint, processing_fee bigint)
  ), told as (
    insert into order_events (mer_no, trade_no, version, from_state, to_state, why, at)
    select mer_no, trade_no, version + 1, from_state, to_state, message, at from given where to_state <> from_state
  )
  update orders o set
    state = g.to_state,
    version = case when g.to_state = g.from_state then o.version else o.version + 1 end,
    message = g.message,
    decided_at = case when g.to_state = g.from_state then o.decided_at else g.at end,
    handling_fee = coalesce(g.handling_fee, o.handling_fee),
    processing_fee = coalesce(g.processing_fee, o.processing_fee)
  from given g
  where o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.version = g.version
  returning o.trade_no`
