// The statements around orders that wait on our pages, and owns hosted_orders together with the acceptance.

import { formatRate, type Money } from '../../base/money.ts'
import { keysText, type OrderKey, toKeys } from '../../orders/keys.ts'
import type { AttemptKey } from '../../orders/lock-orders.ts'
import type { MaskedCard } from '../../orders/new-order.ts'
import { State, type StateNumber, type Terms } from '../../orders/order.ts'
import type { Db, Queryable, Tx } from '../../postgres/db.ts'

/** An order on our page, locked before an attempt begins. */
export type HostedOrder = {
  readonly state: StateNumber
  readonly method: string
  readonly money: Money
  readonly usdValue: bigint
  readonly localDay: string
  readonly platformLimited: boolean
  readonly needsReview: boolean
  readonly maxAttempts: number
  readonly expiresAt: Date
  /** How many there were, and whether one is under way. */
  readonly attempts: number
  readonly isBusy: boolean
}

/** Undefined when it does not wait on our page. */
export async function lockHosted(tx: Tx, { merNo, tradeNo }: OrderKey): Promise<HostedOrder | undefined> {
  const [row] = await tx.query<{
    state: StateNumber
    method: string
    currency: string
    amount: bigint
    usd_value: bigint
    local_day: string
    platform_limited: boolean
    needs_review: boolean
    max_attempts: number
    expires_at: Date
  }>({
    name: 'hosted.lock',
    text: `
      select o.state, o.method, o.currency, o.amount, o.usd_value, o.local_day::text as local_day, o.platform_limited,
        o.needs_review, o.max_attempts, h.expires_at
      from orders o join hosted_orders h using (mer_no, trade_no)
      where o.mer_no = $1 and o.trade_no = $2
      for update of o`,
    values: [merNo, tradeNo],
  })
  if (row === undefined) return undefined
  const tried = await countAttempts(tx, { merNo, tradeNo })
  return {
    state: row.state,
    method: row.method,
    money: { amount: row.amount, currency: row.currency },
    usdValue: row.usd_value,
    localDay: row.local_day,
    platformLimited: row.platform_limited,
    needsReview: row.needs_review,
    maxAttempts: row.max_attempts,
    expiresAt: row.expires_at,
    ...tried,
  }
}

async function countAttempts(db: Queryable, { merNo, tradeNo }: OrderKey) {
  const [row] = await db.query<{ attempts: number; is_busy: boolean }>({
    name: 'attempts.count',
    text: `
      select coalesce(max(attempt_no), 0)::integer as attempts, coalesce(bool_or(ask_at is not null), false) as is_busy
      from attempts where mer_no = $1 and trade_no = $2`,
    values: [merNo, tradeNo],
  })
  return { attempts: row?.attempts ?? 0, isBusy: row?.is_busy ?? false }
}

/** What an attempt that begins changes on its order, and the attempt itself. */
export type BegunAttempt = OrderKey & {
  readonly attemptNo: number
  readonly method: string
  readonly terms: Terms
  readonly platformLimited: boolean
  readonly needsReview: boolean
  readonly channel: string
  readonly card: MaskedCard | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly sealed: Buffer | undefined
  readonly at: Date
  readonly askAt: Date
}

export async function insertAttempt(tx: Tx, begun: BegunAttempt): Promise<void> {
  const { merNo, tradeNo, terms, card } = begun
  await tx.query({
    name: 'hosted.method',
    text: `
      update orders set method = $3, fee_bps = $4, fee_fixed = $5, margin_bps = $6, margin_days = $7, settle_days = $8,
        settle_currency = $9, settle_rate = $10, platform_limited = $11, needs_review = $12
      where mer_no = $1 and trade_no = $2`,
    values: [
      merNo,
      tradeNo,
      begun.method,
      terms.feeBps,
      terms.feeFixed,
      terms.marginBps,
      terms.marginDays,
      terms.settleDays,
      terms.settleCurrency,
      terms.settleRate && formatRate(terms.settleRate),
      begun.platformLimited,
      begun.needsReview,
    ],
  })
  await tx.query({
    name: 'hosted.attempt',
    text: `
      insert into attempts (
        mer_no, trade_no, attempt_no, channel, state, card_first6, card_last4, card_brand, card_fingerprint,
        details, sealed, created_at, ask_at, chosen)
      values ($1, $2, $3, $4, 'calling', $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    values: [
      merNo,
      tradeNo,
      begun.attemptNo,
      begun.channel,
      card?.first6,
      card?.last4,
      card?.brand,
      card?.fingerprint,
      JSON.stringify(begun.details),
      begun.sealed,
      begun.at,
      begun.askAt,
      JSON.stringify(toChoice(begun)),
    ],
  })
}

/** What the order took on when the attempt began, under the names of its columns. */
function toChoice({ method, terms, platformLimited }: BegunAttempt) {
  return {
    method,
    platform_limited: platformLimited,
    fee_bps: terms.feeBps,
    fee_fixed: terms.feeFixed.toString(),
    margin_bps: terms.marginBps,
    margin_days: terms.marginDays,
    settle_days: terms.settleDays,
    settle_currency: terms.settleCurrency,
    settle_rate: terms.settleRate && formatRate(terms.settleRate),
  }
}

/**
 * Gives the order, which the caller has locked, method and terms of this attempt again: a later one may have changed them.
 * False when there was no choice.
 */
export async function restoreChoice(tx: Tx, { merNo, tradeNo, attemptNo }: AttemptKey): Promise<boolean> {
  const rows = await tx.query({
    text: `
      update orders o set method = c.method, platform_limited = c.platform_limited, fee_bps = c.fee_bps,
        fee_fixed = c.fee_fixed, margin_bps = c.margin_bps, margin_days = c.margin_days, settle_days = c.settle_days,
        settle_currency = c.settle_currency, settle_rate = c.settle_rate
      from attempts a, json_to_record(a.chosen) as c (
        method text, platform_limited boolean, fee_bps integer, fee_fixed bigint, margin_bps integer, margin_days integer,
        settle_days integer, settle_currency text, settle_rate numeric)
      where a.mer_no = $1 and a.trade_no = $2 and a.attempt_no = $3 and a.chosen is not null
        and o.mer_no = a.mer_no and o.trade_no = a.trade_no
      returning 1`,
    values: [merNo, tradeNo, attemptNo],
  })
  return rows.length === 1
}

/** Those whose time on our page is over, the longest first. */
export async function selectExpired(db: Queryable, now: Date, limit: number): Promise<OrderKey[]> {
  const rows = await db.query<{ mer_no: bigint; trade_no: string }>({
    name: 'hosted.expired',
    text: 'select mer_no, trade_no from hosted_orders where expires_at <= $1 order by expires_at limit $2',
    values: [now, limit],
  })
  return rows.map((row) => ({ merNo: Number(row.mer_no), tradeNo: row.trade_no }))
}

/** What is decided leaves the list; what somebody is paying right now is looked at again then. */
export async function tidyHosted(db: Db, keys: readonly OrderKey[], lookAgainAt: Date): Promise<void> {
  await db.query({
    name: 'hosted.tidy',
    text: `
      with decided as (
        delete from hosted_orders h using ${keysText}, orders o
        where h.mer_no = g.mer_no and h.trade_no = g.trade_no
          and o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.state <> ${State.processing}
        returning h.mer_no, h.trade_no
      )
      update hosted_orders h set expires_at = $2
      from ${keysText} left join decided d using (mer_no, trade_no)
      where h.mer_no = g.mer_no and h.trade_no = g.trade_no and d.trade_no is null`,
    values: [toKeys(keys), lookAgainAt],
  })
}
