// The statements of recording an outcome: lock the orders with their attempts, then write what was decided.
import type { Tx } from '../base/db.ts'
import { formatRate, parseRate, type Rate } from '../base/money.ts'
import type { PayerAction } from '../channels/contract.ts'
import type { AttemptState, Charges, OpenOrder, StateNumber } from './payment.ts'

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

/** Locks the orders and the attempts in question, in key order, by trade number. */
export async function lockOrders(
  tx: Tx,
  attempts: readonly { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number }[],
): Promise<Map<string, OpenOrder>> {
  const given = attempts.map(({ merNo, tradeNo, attemptNo }) => {
    return { mer_no: merNo, trade_no: tradeNo, attempt_no: attemptNo }
  })
  const rows = await tx.query<OpenOrderRow>({
    name: 'payments.lock',
    text: lockOrdersText,
    values: [JSON.stringify(given)],
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
  from json_to_recordset($1) as g (mer_no bigint, trade_no text, attempt_no smallint)
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

/** What an outcome writes to a locked order and its attempt. */
export type Change = {
  readonly order: OpenOrder
  readonly at: Date
  readonly attemptState: AttemptState
  readonly orderState: StateNumber
  readonly message: string
  readonly channelRef: string | undefined
  readonly action: PayerAction | undefined
  readonly askAt: Date | undefined
  readonly charges: Charges | undefined
  readonly dues: Dues | undefined
  /** What came so far; undefined: as it was. */
  readonly received?: bigint | undefined
  /** The channel that the next attempt is made at. */
  readonly next?: { readonly channel: string; readonly askAt: Date } | undefined
}

/** When settlement and the margin's release come due. */
export type Dues = { readonly settleAt: Date; readonly marginAt: Date }

/** How many orders were still at the version that the change saw. */
export async function writeChanges(tx: Tx, changes: readonly Change[]): Promise<number> {
  const rows = await tx.query<{ trade_no: string }>({
    name: 'payments.write',
    text: writeChangesText,
    values: [JSON.stringify(changes.map(toChangeRow))],
  })
  return rows.length
}

function toChangeRow(change: Change) {
  const { order, charges } = change
  return {
    mer_no: order.merNo,
    trade_no: order.tradeNo,
    attempt_no: order.attempt.no,
    version: order.version,
    from_state: order.state,
    to_state: change.orderState,
    attempt_state: change.attemptState,
    message: change.message,
    channel_ref: change.channelRef,
    action: change.action,
    ask_at: change.askAt,
    at: change.at,
    received: change.received?.toString(),
    handling_fee: charges?.handlingFee.toString(),
    processing_fee: charges?.processingFee.toString(),
    margin: charges?.margin.toString(),
    remainder: charges?.remainder.toString(),
    settle_rate: charges?.settleRate && formatRate(charges.settleRate),
    settle_amount: charges?.settleAmount.toString(),
    settle_at: charges && change.dues?.settleAt,
    margin_at: charges && charges.margin > 0n ? change.dues?.marginAt : undefined,
    next_channel: change.next?.channel,
    next_ask_at: change.next?.askAt,
  }
}

const writeChangesText = `
  with given as materialized (
    select * from json_to_recordset($1) as g (
      mer_no bigint, trade_no text, attempt_no smallint, version integer, from_state smallint, to_state smallint,
      attempt_state text, message text, channel_ref text, action json, ask_at timestamptz, at timestamptz,
      received bigint, handling_fee bigint, processing_fee bigint, margin bigint, remainder bigint,
      settle_rate numeric, settle_amount bigint, settle_at timestamptz, margin_at timestamptz,
      next_channel text, next_ask_at timestamptz)
  ), changed as (
    update orders o set
      state = g.to_state,
      version = case when g.to_state = g.from_state then o.version else o.version + 1 end,
      message = g.message,
      decided_at = case when g.to_state = g.from_state then o.decided_at else g.at end,
      received = coalesce(g.received, o.received),
      handling_fee = coalesce(g.handling_fee, o.handling_fee),
      processing_fee = coalesce(g.processing_fee, o.processing_fee),
      margin = coalesce(g.margin, o.margin),
      margin_held = coalesce(g.margin, o.margin_held),
      settle_rate = coalesce(g.settle_rate, o.settle_rate),
      settle_amount = coalesce(g.settle_amount, o.settle_amount),
      remainder = coalesce(g.remainder, o.remainder)
    from given g
    where o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.version = g.version
    returning o.trade_no
  ), attempted as (
    update attempts a set
      state = g.attempt_state,
      message = g.message,
      channel_ref = coalesce(g.channel_ref, a.channel_ref),
      action = coalesce(g.action, a.action),
      ask_at = g.ask_at,
      decided_at = case when g.ask_at is null then g.at end
    from given g
    where a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no
  ), passed_on as (
    insert into attempts (
      mer_no, trade_no, attempt_no, channel, state, card_first6, card_last4, card_brand, card_fingerprint,
      details, sealed, created_at, ask_at)
    select
      a.mer_no, a.trade_no, a.attempt_no + 1, g.next_channel, 'calling',
      a.card_first6, a.card_last4, a.card_brand, a.card_fingerprint, a.details, a.sealed, g.at, g.next_ask_at
    from given g join attempts a using (mer_no, trade_no, attempt_no)
    where g.next_channel is not null
  ), told as (
    insert into order_events (mer_no, trade_no, version, from_state, to_state, why, at)
    select mer_no, trade_no, version + 1, from_state, to_state, message, at from given where to_state <> from_state
  ), due as (
    insert into order_dues (mer_no, kind, due_at, trade_no)
    select mer_no, 'settle', settle_at, trade_no from given where settle_at is not null
    union all
    select mer_no, 'margin', margin_at, trade_no from given where margin_at is not null
  )
  select trade_no from changed`
