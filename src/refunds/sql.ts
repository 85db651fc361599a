// Owns refunds and refund_events. Lists go in as one JSON document, so that a statement has the same text, and one plan,
// for one row and for hundreds.
import type { Claim } from '../concurrency/claim-loop.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import type { Application, Refund, RefundState } from './refund.ts'
import { columns, type Row, toRefund } from './row.ts'

/**
 * One acceptance a merchant at a time, on all nodes: two orders' refunds under one merRefundNo meet nowhere else. It is
 * the first lock of its transaction and nobody else takes it, so it cannot be part of a circle.
 */
export async function lockAcceptance(tx: Tx, merNo: number): Promise<void> {
  await tx.query({
    name: 'refunds.lock-acceptance',
    text: `select pg_advisory_xact_lock(hashtextextended('refunds ' || $1::bigint, 0))`,
    values: [merNo],
  })
}

/**
 * What each application may be a repetition of: the same number, the merchant's number, the same content of late; and where its
 * signature may have been captured, any of the same amount that did not fail.
 */
export async function selectEarlier(
  tx: Tx,
  merNo: number,
  applications: readonly Application[],
  since: Date,
): Promise<Refund[]> {
  const given = applications.map((one) => ({
    refund_no: one.refundNo,
    mer_refund_no: one.merRefundNo,
    trade_no: one.tradeNo,
    amount: one.money.amount.toString(),
    remark: one.remark,
    replay_proof: one.isReplayProof,
  }))
  const rows = await tx.query<Row>({
    name: 'refunds.earlier',
    text: selectEarlierText,
    values: [JSON.stringify(given), merNo, since],
  })
  return rows.map(toRefund)
}

const selectEarlierText = `
  with given as materialized (
    select * from json_to_recordset($1) as g (
      refund_no text, mer_refund_no text, trade_no text, amount bigint, remark text,
      replay_proof boolean)
  )
  select ${columns} from given g join refunds r on r.mer_no = $2 and r.refund_no = g.refund_no
  union
  select ${columns} from given g join refunds r on r.mer_no = $2 and r.mer_refund_no = g.mer_refund_no
  union
  select r.* from given g cross join lateral (
    select ${columns} from refunds r
    where r.mer_no = $2 and r.trade_no = g.trade_no and r.amount = g.amount and r.remark = g.remark
      and (r.decided_at is null or r.created_at > $3)
    order by r.decided_at is null desc, r.created_at desc
    limit 1
  ) r
  where g.mer_refund_no is null
  union
  select r.* from given g cross join lateral (
    select ${columns} from refunds r
    where r.mer_no = $2 and r.trade_no = g.trade_no and r.amount = g.amount and r.state <> 'failed'
    limit 1
  ) r
  where not g.replay_proof`

export async function insertRefunds(tx: Tx, refunds: readonly Refund[]): Promise<void> {
  if (refunds.length === 0) return
  const rows = JSON.stringify(refunds.map(toInsertRow))
  await tx.query({ name: 'refunds.insert', text: insertText, values: [rows] })
}

function toInsertRow(refund: Refund) {
  const { payment } = refund
  return {
    mer_no: refund.merNo,
    refund_no: refund.refundNo,
    trade_no: refund.tradeNo,
    mer_order_no: refund.merOrderNo,
    mer_refund_no: refund.merRefundNo,
    currency: refund.money.currency,
    amount: refund.money.amount.toString(),
    refund_fee: refund.fee.toString(),
    remark: refund.remark,
    notify_url: refund.notifyUrl,
    channel: payment.channel,
    attempt_no: payment.attemptNo,
    attempt_ref: payment.channelRef,
    paid_amount: payment.amount.toString(),
    state: refund.state,
    message: refund.message,
    created_at: refund.createdAt,
    // One that need not wait is due at once.
    ask_at: refund.state === 'waiting' ? undefined : refund.createdAt,
  }
}

const insertText = `
  insert into refunds (
    mer_no, refund_no, trade_no, mer_order_no, mer_refund_no, currency, amount, refund_fee, remark, notify_url,
    channel, attempt_no, attempt_ref, paid_amount, state, message, created_at, ask_at)
  select
    mer_no, refund_no, trade_no, mer_order_no, mer_refund_no, currency, amount, refund_fee, remark, notify_url,
    channel, attempt_no, attempt_ref, paid_amount, state, message, created_at, ask_at
  from json_to_recordset($1) as g (
    mer_no bigint, refund_no text, trade_no text, mer_order_no text, mer_refund_no text, currency text, amount bigint,
    refund_fee bigint, remark text, notify_url text, channel text, attempt_no smallint, attempt_ref text,
    paid_amount bigint, state text, message text, created_at timestamptz, ask_at timestamptz)`

export type RefundKey = { readonly merNo: number; readonly refundNo: string }

/** Locks the refunds in key order, by number; their orders are locked before. */
export async function lockRefunds(tx: Tx, keys: readonly RefundKey[]): Promise<Map<string, Refund>> {
  const given = keys.map(({ merNo, refundNo }) => ({ mer_no: merNo, refund_no: refundNo }))
  const rows = await tx.query<Row>({
    name: 'refunds.lock',
    text: `
      select ${columns} from json_to_recordset($1) as g (mer_no bigint, refund_no text)
      join refunds r using (mer_no, refund_no)
      order by r.mer_no, r.refund_no
      for update of r`,
    values: [JSON.stringify(given)],
  })
  return new Map(rows.map((row) => [row.refund_no, toRefund(row)]))
}

/** What a locked refund becomes. */
export type RefundChange = {
  readonly refund: Refund
  readonly state: RefundState
  readonly message: string
  readonly channelRef: string | undefined
  readonly askAt: Date | undefined
  readonly decided: boolean
  readonly at: Date
}

/** How many refunds were still at the version that the change saw. */
export async function writeRefunds(tx: Tx, changes: readonly RefundChange[]): Promise<number> {
  const rows = await tx.query<{ refund_no: string }>({
    name: 'refunds.write',
    text: writeText,
    values: [JSON.stringify(changes.map(toChangeRow))],
  })
  return rows.length
}

function toChangeRow({ refund, ...change }: RefundChange) {
  return {
    mer_no: refund.merNo,
    refund_no: refund.refundNo,
    version: refund.version,
    from_state: refund.state,
    to_state: change.state,
    message: change.message,
    channel_ref: change.channelRef,
    ask_at: change.askAt,
    decided: change.decided,
    at: change.at,
  }
}

const writeText = `
  with given as materialized (
    select * from json_to_recordset($1) as g (
      mer_no bigint, refund_no text, version integer, from_state text, to_state text, message text, channel_ref text,
      ask_at timestamptz, decided boolean, at timestamptz)
  ), told as (
    insert into refund_events (mer_no, refund_no, version, from_state, to_state, why, at)
    select mer_no, refund_no, version + 1, from_state, to_state, message, at from given where to_state <> from_state
  )
  update refunds r set
    state = g.to_state,
    version = case when g.to_state = g.from_state then r.version else r.version + 1 end,
    message = g.message,
    channel_ref = coalesce(g.channel_ref, r.channel_ref),
    ask_at = g.ask_at,
    decided_at = case when g.decided then g.at end
  from given g
  where r.mer_no = g.mer_no and r.refund_no = g.refund_no and r.version = g.version
  returning r.refund_no`

export async function selectByNumber(
  db: Queryable,
  merNo: number,
  refundNo: string,
): Promise<Refund | undefined> {
  const [row] = await db.query<Row>({
    name: 'refunds.by-number',
    text: `select ${columns} from refunds r where r.mer_no = $1 and r.refund_no = $2`,
    values: [merNo, refundNo],
  })
  return row && toRefund(row)
}

export async function selectByMerchantsNumber(
  db: Queryable,
  merNo: number,
  merRefundNo: string,
): Promise<Refund | undefined> {
  const [row] = await db.query<Row>({
    name: 'refunds.by-merchants-number',
    text: `select ${columns} from refunds r where r.mer_no = $1 and r.mer_refund_no = $2`,
    values: [merNo, merRefundNo],
  })
  return row && toRefund(row)
}

/** The oldest that wait for an operator; of one merchant, or of all. */
export async function selectWaiting(
  db: Queryable,
  merNo: number | undefined,
  limit: number,
): Promise<Refund[]> {
  const rows = await db.query<Row>({
    text: `select ${columns} from refunds r
      where r.state = 'waiting' and ($1::bigint is null or r.mer_no = $1)
      order by r.created_at, r.refund_no limit $2`,
    values: [merNo, limit],
  })
  return rows.map(toRefund)
}

/** Refunds that are due, each leased. */
export async function claimDue(db: Queryable, due: Claim): Promise<Refund[]> {
  const rows = await db.query<Row>({
    name: 'refunds.claim',
    text: claimText,
    values: [due.now, due.leaseUntil, due.limit, due.busy],
  })
  return rows.map(toRefund)
}

const claimText = `
  with due as (
    select mer_no, refund_no from refunds
    where ask_at <= $1 and channel <> all($4::text[])
    order by ask_at
    limit $3
    for update skip locked
  )
  update refunds r set ask_at = $2, asks = r.asks + 1
  from due
  where r.mer_no = due.mer_no and r.refund_no = due.refund_no
  returning ${columns}`

export type OpenCounts = { readonly open: number; readonly waiting: number }

export async function selectOpenCounts(db: Queryable): Promise<OpenCounts> {
  const [row] = await db.query<OpenCounts>({
    text: `select
      (select count(*)::int from refunds where ask_at is not null) as open,
      (select count(*)::int from refunds where state = 'waiting') as waiting`,
  })
  return row ?? { open: 0, waiting: 0 }
}
