// Owns the lock of orders: every change of an order reads it here first.
//
// Invariants: orders are locked in the order of (mer_no, trade_no). A second statement, sent directly after, reads the
// attempts, so it sees what was committed while the first one waited. Every change of an attempt's state holds the order's
// lock, so attempts need no lock.

import { parseRate, type Rate } from '../base/money.ts'
import type { Tx } from '../postgres/db.ts'
import {
  type Attempt,
  type AttemptState,
  type ChargebackState,
  type Choice,
  compareKeys,
  isPaid,
  lockedInTurn,
  type Order,
  type OrderKey,
  type OrderKind,
  orderKeys,
  type Paid,
  type PaidOrder,
  type StateNumber,
  wasPaid,
} from './order.ts'

/** With an attempt number: the order with that attempt, or nothing if there is no such attempt. */
export type LockKey = OrderKey & { readonly attemptNo?: number | undefined }

/** By trade number, without orders that do not exist. */
export async function lockOrders(tx: Tx, keys: readonly LockKey[]): Promise<Map<string, Order>> {
  if (keys.length === 0) return new Map()
  // In the order of the list: the statement looks up one after the other.
  const values = orderKeys.values(keys.toSorted(compareKeys))
  const [orders, attempts] = await Promise.all([
    tx.query<OrderRow>({ name: 'orders.lock', text: lockText, values }),
    tx.query<AttemptRow>({ name: 'orders.attempts', text: attemptsText, values }),
  ])
  const rows = new Map(orders.map((row) => [row.trade_no, row]))
  const tried = Map.groupBy(attempts, (row) => row.trade_no)
  return new Map(
    keys.flatMap(({ tradeNo, attemptNo }) => {
      const row = rows.get(tradeNo)
      const attempt = pick(tried.get(tradeNo) ?? [], attemptNo)
      if (row === undefined || (attemptNo !== undefined && attempt === undefined)) return []
      return [[tradeNo, toOrder(row, attempt)] as const]
    }),
  )
}

export async function lockOrder(tx: Tx, key: LockKey): Promise<Order | undefined> {
  return (await lockOrders(tx, [key])).get(key.tradeNo)
}

/** The paid ones among the orders, each with the attempt that took the money. */
export async function lockPaidOrders(tx: Tx, keys: readonly OrderKey[]): Promise<Map<string, PaidOrder>> {
  const orders = await lockOrders(
    tx,
    keys.map(({ merNo, tradeNo }) => ({ merNo, tradeNo })),
  )
  const paid = [...orders.values()].filter(isPaid)
  return new Map(paid.map((order) => [order.tradeNo, order]))
}

function pick(attempts: readonly AttemptRow[], attemptNo: number | undefined): AttemptRow | undefined {
  if (attemptNo !== undefined) return attempts.find((one) => one.attempt_no === attemptNo)
  const succeeded = attempts.find((one) => one.state === 'succeeded')
  return succeeded ?? attempts.toSorted((one, other) => one.attempt_no - other.attempt_no).at(-1)
}

type OrderRow = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  kind: OrderKind
  method: string
  currency: string
  amount: bigint
  state: StateNumber
  version: number
  message: string
  notify_url: string
  protest_notify_url: string
  local_day: string
  timezone: string
  usd_value: bigint
  platform_limited: boolean
  fee_bps: number
  fee_fixed: bigint
  margin_bps: number
  margin_days: number
  settle_days: number
  settle_currency: string
  settle_rate: string | null
  max_attempts: number
  needs_review: boolean
  received: bigint | null
  handling_fee: bigint | null
  processing_fee: bigint | null
  settle_amount: bigint | null
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
  compact: boolean
}

const lockText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.kind, o.method, o.currency, o.amount, o.state, o.version, o.message,
    o.notify_url, o.protest_notify_url, o.local_day::text as local_day, o.timezone, o.usd_value, o.platform_limited,
    o.fee_bps, o.fee_fixed, o.margin_bps, o.margin_days, o.settle_days, o.settle_currency, o.settle_rate,
    o.max_attempts, o.needs_review, o.received, o.handling_fee, o.processing_fee, o.settle_amount,
    o.margin, o.margin_held, o.margin_disputed, o.margin_released_at is not null as margin_released,
    o.remainder, o.settled_at is not null as settled, o.settled_source,
    o.refunded, o.refunds_open, o.charged_back, o.chargeback_state, o.exception_fees,
    o.attempt_state is not null as compact
  from ${lockedInTurn(orderKeys.text)}`

type AttemptRow = {
  trade_no: string
  attempt_no: number
  channel: string
  state: AttemptState
  asks: number
  created_at: Date
  channel_ref: string | null
  chosen: ChosenColumns | null
}

/** The fields that depend on the chosen method, by column name. */
export type ChosenColumns = {
  readonly method: string
  readonly platform_limited: boolean
  readonly fee_bps: number
  readonly fee_fixed: string
  readonly margin_bps: number
  readonly margin_days: number
  readonly settle_days: number
  readonly settle_currency: string
  readonly settle_rate?: string | undefined
}

const attemptsText = `
  select a.trade_no, a.attempt_no, a.channel, a.state, a.asks, a.created_at, a.channel_ref, a.chosen
  from ${orderKeys.text} join attempts a using (mer_no, trade_no)`

function toOrder(row: OrderRow, attempt: AttemptRow | undefined): Order {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    kind: row.kind,
    method: row.method,
    money: { amount: row.amount, currency: row.currency },
    state: row.state,
    version: row.version,
    message: row.message,
    notifyUrl: row.notify_url,
    protestNotifyUrl: row.protest_notify_url,
    localDay: row.local_day,
    timezone: row.timezone,
    usdValue: row.usd_value,
    platformLimited: row.platform_limited,
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
    compact: row.compact,
    attempt: attempt && toAttempt(attempt),
    paid: row.kind === 'payment' && wasPaid(row.state) ? toPaid(row) : undefined,
  }
}

function toAttempt(row: AttemptRow): Attempt {
  return {
    no: row.attempt_no,
    channel: row.channel,
    state: row.state,
    asks: row.asks,
    createdAt: row.created_at,
    channelRef: row.channel_ref ?? undefined,
    choice: row.chosen === null ? undefined : toChoice(row.chosen),
  }
}

function toChoice(row: ChosenColumns): Choice {
  return {
    method: row.method,
    platformLimited: row.platform_limited,
    terms: {
      feeBps: row.fee_bps,
      feeFixed: BigInt(row.fee_fixed),
      marginBps: row.margin_bps,
      marginDays: row.margin_days,
      settleDays: row.settle_days,
      settleCurrency: row.settle_currency,
      settleRate: toRate(row.settle_rate ?? null),
    },
  }
}

function toPaid(row: OrderRow): Paid {
  return {
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

/** Less than the order's amount if an operator accepted a short payment. A surplus does not belong to the order. */
function paidAmount({ amount, received }: OrderRow): bigint {
  return received === null || received > amount ? amount : received
}

function toRate(text: string | null): Rate | undefined {
  return text === null ? undefined : parseRate(text)
}
