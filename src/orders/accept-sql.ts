// Owns orders, order_details, attempts, hosted_orders and order_events: how accepting an order writes them.

import { formatRate } from '../base/money.ts'
import type { Queryable, Statement, Tx } from '../postgres/db.ts'
import { bool, bytes, day, given, int4, int8, text, time } from '../postgres/lists.ts'
import { type Hosted, isPlatformLimited, type NewAttempt, type NewPayment } from './new-order.ts'

/** A merchant uses an order number once. */
export const ORDER_NUMBER = 'orders_number_unique'

type OrderNumber = { readonly merNo: number; readonly merOrderNo: string }

export function numberKey({ merNo, merOrderNo }: OrderNumber): string {
  return `${merNo} ${merOrderNo}`
}

const numbers = given<OrderNumber>({
  mer_no: int8((one) => one.merNo),
  mer_order_no: text((one) => one.merOrderNo),
})

/** When each order number that is used was used. */
export async function selectOrderNumbers(
  db: Queryable,
  given: readonly OrderNumber[],
): Promise<Map<string, Date>> {
  const rows = await db.query<{ mer_no: bigint; mer_order_no: string; created_at: Date }>({
    text: `
      select o.mer_no, o.mer_order_no, o.created_at
      from ${numbers.text} join orders o using (mer_no, mer_order_no)`,
    values: numbers.values(given),
  })
  return new Map(
    rows.map((row) => [
      numberKey({ merNo: Number(row.mer_no), merOrderNo: row.mer_order_no }),
      row.created_at,
    ]),
  )
}

/** The trade numbers of those whose order number was free. */
export async function insertPayments(tx: Tx, payments: readonly NewPayment[]): Promise<Set<string>> {
  if (payments.length === 0) return new Set()
  const rows = await tx.query<{ trade_no: string }>({
    name: 'payments.insert-free',
    text: `${insertOrdersText} on conflict on constraint ${ORDER_NUMBER} do nothing returning trade_no`,
    values: orders.values(payments),
  })
  const inserted = new Set(rows.map((row) => row.trade_no))
  const accepted = payments.filter(({ tradeNo }) => inserted.has(tradeNo))
  await Promise.all(restOf(accepted).map((statement) => tx.query(statement)))
  return inserted
}

/** Fails when a number is used already. */
export function insertAll(payments: readonly NewPayment[]): Statement[] {
  const values = orders.values(payments)
  return [{ name: 'payments.insert', text: insertOrdersText, values }, ...restOf(payments)]
}

/** What belongs to the orders. */
function restOf(payments: readonly NewPayment[]): Statement[] {
  const begun = payments.filter(isBegun)
  const waiting = payments.filter(isHosted)
  return [
    { name: 'payments.insert-details', text: insertDetailsText, values: details.values(payments) },
    ...(begun.length === 0
      ? []
      : [{ name: 'payments.insert-attempts', text: insertAttemptsText, values: attempts.values(begun) }]),
    ...(waiting.length === 0
      ? []
      : [{ name: 'payments.insert-hosted', text: insertHostedText, values: hosted.values(waiting) }]),
  ]
}

type Begun = NewPayment & { readonly attempt: NewAttempt }
type Waiting = NewPayment & { readonly hosted: Hosted }

function isBegun(payment: NewPayment): payment is Begun {
  return payment.attempt !== undefined
}

function isHosted(payment: NewPayment): payment is Waiting {
  return payment.hosted !== undefined
}

const orders = given<NewPayment>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  mer_order_no: text((one) => one.merOrderNo),
  method: text((one) => one.method),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  return_url: text((one) => one.returnUrl),
  notify_url: text((one) => one.notifyUrl),
  protest_notify_url: text((one) => one.protestNotifyUrl),
  created_at: time((one) => one.createdAt),
  local_day: day((one) => one.localDay),
  usd_value: int8((one) => one.usdValue),
  platform_limited: bool(isPlatformLimited),
  fee_bps: int4((one) => one.terms.feeBps),
  fee_fixed: int8((one) => one.terms.feeFixed),
  margin_bps: int4((one) => one.terms.marginBps),
  margin_days: int4((one) => one.terms.marginDays),
  settle_days: int4((one) => one.terms.settleDays),
  settle_currency: text((one) => one.terms.settleCurrency),
  settle_rate: text(({ terms: { settleRate } }) => settleRate && formatRate(settleRate)),
  timezone: text((one) => one.timezone),
  max_attempts: int4((one) => one.maxAttempts),
  needs_review: bool((one) => one.needsReview),
})

const insertOrdersText = `
  insert into orders (
    mer_no, trade_no, mer_order_no, kind, method, currency, amount, state, return_url, notify_url, protest_notify_url,
    created_at, local_day, usd_value, platform_limited,
    fee_bps, fee_fixed, margin_bps, margin_days, settle_days, settle_currency, settle_rate, timezone,
    max_attempts, needs_review)
  select
    mer_no, trade_no, mer_order_no, 'payment', method, currency, amount, 1, return_url, notify_url, protest_notify_url,
    created_at, local_day, usd_value, platform_limited,
    fee_bps, fee_fixed, margin_bps, margin_days, settle_days, settle_currency, settle_rate::numeric, timezone,
    max_attempts, needs_review
  from ${orders.text}`

const details = given<NewPayment>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  details: text((one) => JSON.stringify(one.details)),
  sealed: bytes((one) => one.sealed),
})

const insertDetailsText = `
  insert into order_details (mer_no, trade_no, details, sealed)
  select mer_no, trade_no, details, sealed from ${details.text}`

const attempts = given<Begun>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  channel: text(({ attempt }) => attempt.channel),
  card_first6: text(({ attempt }) => attempt.card?.first6),
  card_last4: text(({ attempt }) => attempt.card?.last4),
  card_brand: text(({ attempt }) => attempt.card?.brand),
  card_fingerprint: text(({ attempt }) => attempt.card?.fingerprint),
  created_at: time((one) => one.createdAt),
  ask_at: time(({ attempt }) => attempt.askAt),
})

const insertAttemptsText = `
  insert into attempts (
    mer_no, trade_no, attempt_no, channel, state, card_first6, card_last4, card_brand, card_fingerprint, created_at, ask_at)
  select
    mer_no, trade_no, 1, channel, 'calling', card_first6, card_last4, card_brand, card_fingerprint, created_at, ask_at
  from ${attempts.text}`

const hosted = given<Waiting>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  method: text((one) => one.hosted.method),
  expires_at: time((one) => one.hosted.expiresAt),
})

const insertHostedText = `
  insert into hosted_orders (mer_no, trade_no, method, expires_at)
  select mer_no, trade_no, method, expires_at from ${hosted.text}`
