// Owns the lock of orders. Every planned change of a stored order locks and reads the order here first. The only
// exception is the first outcome of an order that was just accepted (payments/record-outcomes.ts).
//
// Invariants: orders are locked by ascending (mer_no, trade_no). A second statement reads the attempts, so that it sees
// changes that were committed while the first statement waited for the locks. Every change of an attempt's state holds
// the lock of the order, so attempts need no lock of their own.

import type { Tx } from '../../platform/postgres/db.ts'
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
import { type TermColumns, termLists, toRate, toTerms } from './term-columns.ts'

/** An order to lock. An order whose attempt `attemptNo` does not exist is locked, but not returned. */
export type LockKey = OrderKey & { readonly attemptNo?: number | undefined }

/** Locks the orders and returns them by trade number. Orders that do not exist are not in the result. */
export async function lockOrders(tx: Tx, keys: readonly LockKey[]): Promise<Map<string, Order>> {
  if (keys.length === 0) return new Map()
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

/** Locks the orders, and returns the paid orders among them, each with the attempt that took the money. */
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

type OrderRow = TermColumns & {
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

const termColumns = Object.keys(termLists(() => undefined))

const lockText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.kind, o.method, o.currency, o.amount, o.state, o.version, o.message,
    o.notify_url, o.protest_notify_url, o.local_day::text as local_day, o.timezone, o.usd_value, o.platform_limited,
    ${termColumns.map((name) => `o.${name}`).join(', ')}, o.settle_rate,
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
export type ChosenColumns = TermColumns & {
  readonly method: string
  readonly platform_limited: boolean
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
    terms: toTerms(row),
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
  return { method: row.method, platformLimited: row.platform_limited, terms: toTerms(row) }
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

/** Returns the amount paid: the order's amount, or less if an operator accepted a short payment. */
function paidAmount({ amount, received }: OrderRow): bigint {
  return received === null || received > amount ? amount : received
}
