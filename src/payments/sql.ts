// Owns orders, order_details, attempts, hosted_orders and order_events. Lists go in as one JSON document, so that a statement has the
// same text, and one plan, for one row and for hundreds.
import type { Queryable, Tx } from '../base/db.ts'
import { formatRate } from '../base/money.ts'
import type { NewPayment } from './new-payment.ts'

export function numberKey({ merNo, merOrderNo }: { merNo: number; merOrderNo: string }): string {
  return `${merNo} ${merOrderNo}`
}

/** When each order number that is used was used. */
export async function selectOrderNumbers(
  db: Queryable,
  numbers: readonly { readonly merNo: number; readonly merOrderNo: string }[],
): Promise<Map<string, Date>> {
  const given = numbers.map(({ merNo, merOrderNo }) => ({ mer_no: merNo, mer_order_no: merOrderNo }))
  const rows = await db.query<{ mer_no: bigint; mer_order_no: string; created_at: Date }>({
    text: `
      select o.mer_no, o.mer_order_no, o.created_at
      from json_to_recordset($1) as g (mer_no bigint, mer_order_no text)
      join orders o using (mer_no, mer_order_no)`,
    values: [JSON.stringify(given)],
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
    name: 'payments.insert',
    text: insertPaymentsText,
    values: [JSON.stringify(payments.map(toInsertRow))],
  })
  return new Set(rows.map((row) => row.trade_no))
}

function toInsertRow(payment: NewPayment) {
  const { terms, attempt, hosted } = payment
  const card = attempt?.card
  return {
    mer_no: payment.merNo,
    trade_no: payment.tradeNo,
    mer_order_no: payment.merOrderNo,
    method: payment.method,
    currency: payment.money.currency,
    amount: payment.money.amount.toString(),
    return_url: payment.returnUrl,
    notify_url: payment.notifyUrl,
    protest_notify_url: payment.protestNotifyUrl,
    created_at: payment.createdAt,
    local_day: payment.localDay,
    usd_value: payment.usdValue.toString(),
    platform_limited: payment.limits.some((limit) => limit.merNo === 0),
    fee_bps: terms.feeBps,
    fee_fixed: terms.feeFixed.toString(),
    margin_bps: terms.marginBps,
    margin_days: terms.marginDays,
    settle_days: terms.settleDays,
    settle_currency: terms.settleCurrency,
    settle_rate: terms.settleRate && formatRate(terms.settleRate),
    timezone: payment.timezone,
    details: payment.details,
    sealed: payment.sealed?.toString('hex'),
    max_attempts: payment.maxAttempts,
    needs_review: payment.needsReview,
    channel: attempt?.channel,
    card_first6: card?.first6,
    card_last4: card?.last4,
    card_brand: card?.brand,
    card_fingerprint: card?.fingerprint,
    ask_at: attempt?.askAt,
    hosted_method: hosted?.method,
    hosted_until: hosted?.expiresAt,
  }
}

const insertPaymentsText = `
  with given as materialized (
    select * from json_to_recordset($1) as g (
      mer_no bigint, trade_no text, mer_order_no text, method text, currency text, amount bigint,
      return_url text, notify_url text, protest_notify_url text, created_at timestamptz, local_day date,
      usd_value bigint, platform_limited boolean, fee_bps integer, fee_fixed bigint, margin_bps integer,
      margin_days integer, settle_days integer, settle_currency text, settle_rate numeric, timezone text, details json, sealed text,
      max_attempts smallint, needs_review boolean,
      channel text, card_first6 text, card_last4 text, card_brand text, card_fingerprint text, ask_at timestamptz,
      hosted_method text, hosted_until timestamptz)
  ), accepted as (
    insert into orders (
      mer_no, trade_no, mer_order_no, kind, method, currency, amount, state, return_url, notify_url, protest_notify_url,
      created_at, local_day, usd_value, platform_limited,
      fee_bps, fee_fixed, margin_bps, margin_days, settle_days, settle_currency, settle_rate, timezone,
      max_attempts, needs_review)
    select
      mer_no, trade_no, mer_order_no, 'payment', method, currency, amount, 1, return_url, notify_url, protest_notify_url,
      created_at, local_day, usd_value, platform_limited,
      fee_bps, fee_fixed, margin_bps, margin_days, settle_days, settle_currency, settle_rate, timezone,
      max_attempts, needs_review
    from given
    on conflict on constraint orders_number_unique do nothing
    returning trade_no
  ), detailed as (
    insert into order_details (mer_no, trade_no, details, sealed)
    select mer_no, trade_no, details, decode(sealed, 'hex') from given join accepted using (trade_no)
  ), attempted as (
    insert into attempts (
      mer_no, trade_no, attempt_no, channel, state, card_first6, card_last4, card_brand, card_fingerprint,
      created_at, ask_at)
    select
      mer_no, trade_no, 1, channel, 'calling', card_first6, card_last4, card_brand, card_fingerprint,
      created_at, ask_at
    from given join accepted using (trade_no)
    where channel is not null
  ), hosted as (
    insert into hosted_orders (mer_no, trade_no, method, expires_at)
    select mer_no, trade_no, hosted_method, hosted_until from given join accepted using (trade_no)
    where hosted_until is not null
  )
  select trade_no from accepted`
