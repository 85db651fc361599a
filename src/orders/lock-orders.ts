// Orders as recording an outcome finds them, locked together with their attempts.

import { parseRate, type Rate } from '../base/money.ts'
import type { Tx } from '../postgres/db.ts'
import { given, int4, int8, text } from '../postgres/lists.ts'
import type { AttemptState, OpenOrder, StateNumber } from './order.ts'

type OpenOrderRow = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  method: string
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
  margin_bps: number
  margin_days: number
  settle_days: number
  settle_currency: string
  settle_rate: string | null
  timezone: string
  max_attempts: number
  needs_review: boolean
  received: bigint | null
  attempt_no: number
  channel: string
  attempt_state: AttemptState
  asks: number
  attempt_created_at: Date
}

export type AttemptKey = { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number }

const keys = given<AttemptKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
})

/** Locks the orders and the attempts in question, in key order, by trade number. */
export async function lockOrders(tx: Tx, attempts: readonly AttemptKey[]): Promise<Map<string, OpenOrder>> {
  const rows = await tx.query<OpenOrderRow>({
    text: lockOrdersText,
    values: keys.values(attempts),
  })
  return new Map(rows.map((row) => [row.trade_no, toOpenOrder(row)]))
}

// Both rows are locked: a joined row that is not would be read as it was before a wait.
const lockOrdersText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.method, o.currency, o.amount, o.state, o.version, o.message, o.notify_url,
    o.local_day::text as local_day, o.usd_value, o.platform_limited,
    o.fee_bps, o.fee_fixed, o.margin_bps, o.margin_days, o.settle_days, o.settle_currency,
    o.settle_rate, o.timezone, o.max_attempts, o.needs_review, o.received,
    a.attempt_no, a.channel, a.state as attempt_state, a.asks, a.created_at as attempt_created_at
  from ${keys.text}
  join orders o using (mer_no, trade_no)
  join attempts a using (mer_no, trade_no, attempt_no)
  order by o.mer_no, o.trade_no
  for update of o, a`

function toOpenOrder(row: OpenOrderRow): OpenOrder {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    money: { amount: row.amount, currency: row.currency },
    state: row.state,
    version: row.version,
    message: row.message,
    notifyUrl: row.notify_url,
    method: row.method,
    localDay: row.local_day,
    usdValue: row.usd_value,
    platformLimited: row.platform_limited,
    timezone: row.timezone,
    terms: {
      feeBps: row.fee_bps,
      feeFixed: row.fee_fixed,
      marginBps: row.margin_bps,
      marginDays: row.margin_days,
      settleDays: row.settle_days,
      settleCurrency: row.settle_currency,
      settleRate: toRate(row.settle_rate),
    },
    maxAttempts: row.max_attempts,
    needsReview: row.needs_review,
    received: row.received ?? 0n,
    attempt: {
      no: row.attempt_no,
      channel: row.channel,
      state: row.attempt_state,
      asks: row.asks,
      createdAt: row.attempt_created_at,
    },
  }
}

export function toRate(text: string | null): Rate | undefined {
  return text === null ? undefined : parseRate(text)
}
