// The statements of a review's part in orders.

import { formatRate, type Money } from '../base/money.ts'
import { type Dues, insertDues } from '../orders/dues.ts'
import { type Charges, type OpenOrder, State, type StateNumber } from '../orders/order.ts'
import type { OrderKey } from '../orders/paid-sql.ts'
import type { Queryable, Tx } from '../postgres/db.ts'

export type LockedState = {
  readonly state: StateNumber
  readonly method: string
  readonly needsReview: boolean
}

/** Locks the order; undefined when it is no payment of this merchant. */
export async function lockState(tx: Tx, { merNo, tradeNo }: OrderKey): Promise<LockedState | undefined> {
  const [row] = await tx.query<{ state: StateNumber; method: string; needs_review: boolean }>({
    text: `
      select state, method, needs_review from orders
      where mer_no = $1 and trade_no = $2 and kind = 'payment' for update`,
    values: [merNo, tradeNo],
  })
  return row && { state: row.state, method: row.method, needsReview: row.needs_review }
}

/** The money that is held, and how the channel knows the payment that brought it. */
export type HeldMoney = {
  readonly money: Money
  readonly channel: string
  readonly attemptNo: number
  readonly channelRef: string | undefined
}

/** By the attempt that brought it: that one is decided, and changes no more. Undefined when none did. */
export async function selectHeldMoney(
  db: Queryable,
  { merNo, tradeNo }: OrderKey,
): Promise<HeldMoney | undefined> {
  const [row] = await db.query<{
    currency: string
    amount: bigint
    channel: string
    attempt_no: number
    channel_ref: string | null
  }>({
    text: `
      select o.currency, o.amount, a.channel, a.attempt_no, a.channel_ref
      from attempts a join orders o using (mer_no, trade_no)
      where a.mer_no = $1 and a.trade_no = $2 and a.state = 'succeeded'`,
    values: [merNo, tradeNo],
  })
  if (row === undefined) return undefined
  const { amount, currency, channel } = row
  return {
    money: { amount, currency },
    channel,
    attemptNo: row.attempt_no,
    channelRef: row.channel_ref ?? undefined,
  }
}

export type Arrival = {
  readonly payerName?: string
  readonly payerAccount?: string
  readonly txHash?: string
}

/** What is known of the last transfer that paid the order; undefined when none did. */
export async function selectArrival(tx: Tx, { merNo, tradeNo }: OrderKey): Promise<Arrival | undefined> {
  const [row] = await tx.query<{
    payer_name: string | null
    payer_account: string | null
    tx_hash: string | null
  }>({
    text: `
      select payer_name, payer_account, tx_hash from deposits
      where mer_no = $1 and trade_no = $2 and state = 'taken'
      order by came_at desc, deposit_ref desc limit 1`,
    values: [merNo, tradeNo],
  })
  if (row === undefined) return undefined
  return {
    ...(row.payer_name !== null && { payerName: row.payer_name }),
    ...(row.payer_account !== null && { payerAccount: row.payer_account }),
    ...(row.tx_hash !== null && { txHash: row.tx_hash }),
  }
}

export async function markForReview(tx: Tx, { merNo, tradeNo }: OrderKey): Promise<void> {
  await tx.query({
    text: 'update orders set needs_review = true where mer_no = $1 and trade_no = $2',
    values: [merNo, tradeNo],
  })
}

/** What a step of its review writes to a locked order. */
export type ReviewChange = {
  readonly order: OpenOrder
  readonly state: StateNumber
  readonly message: string
  readonly at: Date
  readonly success?: { readonly charges: Charges; readonly dues: Dues }
}

/** Whether the order was still at the version that the change saw. */
export async function writeReviewChange(tx: Tx, change: ReviewChange): Promise<boolean> {
  const values = [JSON.stringify([toRow(change)])]
  const isWritten = (await tx.query({ text: writeText, values })).length === 1
  const { order, success } = change
  if (isWritten && success !== undefined) await tx.query(insertDues([{ order, dues: success.dues }]))
  return isWritten
}

function toRow({ order, state, message, at, success }: ReviewChange) {
  const charges = success?.charges
  return {
    mer_no: order.merNo,
    trade_no: order.tradeNo,
    version: order.version,
    from_state: order.state,
    to_state: state,
    message,
    at,
    is_over: state === State.succeeded || state === State.failed,
    handling_fee: charges?.handlingFee.toString(),
    processing_fee: charges?.processingFee.toString(),
    margin: charges?.margin.toString(),
    remainder: charges?.remainder.toString(),
    settle_rate: charges?.settleRate && formatRate(charges.settleRate),
    settle_amount: charges?.settleAmount.toString(),
  }
}

// The attempt stays as it is: it was decided when the money came.
const writeText = `
  with given as materialized (
    select * from json_to_recordset($1) as g (
      mer_no bigint, trade_no text, version integer, from_state smallint, to_state smallint, message text,
      at timestamptz, is_over boolean, handling_fee bigint, processing_fee bigint, margin bigint, remainder bigint,
      settle_rate numeric, settle_amount bigint)
  ), told as (
    insert into order_events (mer_no, trade_no, version, from_state, to_state, why, at)
    select mer_no, trade_no, version + 1, from_state, to_state, message, at from given
  )
  update orders o set
    state = g.to_state,
    version = o.version + 1,
    message = g.message,
    decided_at = g.at,
    needs_review = not g.is_over,
    handling_fee = coalesce(g.handling_fee, o.handling_fee),
    processing_fee = coalesce(g.processing_fee, o.processing_fee),
    margin = coalesce(g.margin, o.margin),
    margin_held = coalesce(g.margin, o.margin_held),
    settle_rate = coalesce(g.settle_rate, o.settle_rate),
    settle_amount = coalesce(g.settle_amount, o.settle_amount),
    remainder = coalesce(g.remainder, o.remainder)
  from given g
  where o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.version = g.version
  returning o.trade_no`

/** An order in review, as lists show it. */
export type OrderInReview = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly state: StateNumber
  readonly message: string
  /** When it came to this state. */
  readonly since: Date
}

type InReviewRow = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  currency: string
  amount: bigint
  state: StateNumber
  message: string
  since: Date
}

export async function selectInReview(db: Queryable, limit: number): Promise<OrderInReview[]> {
  const rows = await db.query<InReviewRow>({
    text: `
      select mer_no, trade_no, mer_order_no, currency, amount, state, message, decided_at as since from orders
      where needs_review and state in (${State.informationAsked}, ${State.inReview})
      order by decided_at, trade_no limit $1`,
    values: [limit],
  })
  return rows.map((row) => ({
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    money: { amount: row.amount, currency: row.currency },
    state: row.state,
    message: row.message,
    since: row.since,
  }))
}

export async function countByReviewState(db: Queryable): Promise<Map<StateNumber, number>> {
  const rows = await db.query<{ state: StateNumber; orders: number }>({
    text: `
      select state, count(*)::int as orders from orders
      where needs_review and state in (${State.informationAsked}, ${State.inReview})
      group by state`,
  })
  return new Map(rows.map(({ state, orders }) => [state, orders]))
}
