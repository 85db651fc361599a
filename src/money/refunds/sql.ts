// Owns the tables refunds and refund_events.
import type { Actor } from '../../platform/audit-log/entry.ts'
import type { Claim } from '../../platform/concurrency/claim-loop.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, bool, int4, int8, itself, listOf, text, time } from '../../platform/postgres/lists.ts'
import { readInPieces } from '../../platform/postgres/read-in-pieces.ts'
import type { CameBack } from '../../rails/contract/returned.ts'
import type { MovementPeriod, MovementRow } from '../../rails/contract/statement.ts'
import { type Application, type Refund, type RefundState, refundStates } from './refund.ts'

type Row = {
  mer_no: bigint
  refund_no: string
  trade_no: string
  mer_order_no: string
  mer_refund_no: string | null
  currency: string
  amount: bigint
  refund_fee: bigint
  remark: string
  notify_url: string
  channel: string
  attempt_no: number
  attempt_ref: string | null
  paid_amount: bigint
  asked_kind: Actor['kind'] | null
  asked_by: string | null
  state: RefundState
  version: number
  message: string
  created_at: Date
  asks: number
  returned_amount: bigint | null
}

/** The columns of a refund, for statements that give the table refunds the alias `r`. */
const columns = `
  r.mer_no, r.refund_no, r.trade_no, r.mer_order_no, r.mer_refund_no, r.currency, r.amount, r.refund_fee, r.remark,
  r.notify_url, r.channel, r.attempt_no, r.attempt_ref, r.paid_amount, r.asked_kind, r.asked_by, r.state, r.version,
  r.message, r.created_at, r.asks, r.returned_amount`

function toRefund(row: Row): Refund {
  const { asked_kind: kind, asked_by: name } = row
  return {
    merNo: Number(row.mer_no),
    refundNo: row.refund_no,
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    merRefundNo: row.mer_refund_no ?? undefined,
    money: { amount: row.amount, currency: row.currency },
    fee: row.refund_fee,
    remark: row.remark,
    notifyUrl: row.notify_url,
    payment: {
      channel: row.channel,
      attemptNo: row.attempt_no,
      channelRef: row.attempt_ref ?? undefined,
      amount: row.paid_amount,
    },
    askedBy: kind === null || name === null ? undefined : { kind, name },
    state: row.state,
    version: row.version,
    message: row.message,
    createdAt: row.created_at,
    asks: row.asks,
    returnedAmount: row.returned_amount ?? undefined,
  }
}

/**
 * Locks the acceptance of a merchant's refunds on all nodes, because two refunds of different orders with the same
 * merRefundNo share no other lock. Only acceptance takes this lock, and takes it before all other locks, so the lock
 * cannot cause a deadlock.
 */
export async function lockAcceptance(tx: Tx, merNo: number): Promise<void> {
  await tx.query({
    name: 'refunds.lock-acceptance',
    text: `select pg_advisory_xact_lock(hashtextextended('refunds ' || $1::bigint, 0))`,
    values: [merNo],
  })
}

/**
 * Returns the refunds that an application may repeat:
 * - refunds with the same refundNo or the same merRefundNo;
 * - for an application without merRefundNo, an equal refund that is undecided or was created after `since`;
 * - if the request may be a replay, a refund of the same order and amount that neither failed nor was returned.
 */
export async function selectEarlier(
  tx: Tx,
  merNo: number,
  applications: readonly Application[],
  since: Date,
): Promise<Refund[]> {
  const rows = await tx.query<Row>({
    name: 'refunds.earlier',
    text: selectEarlierText,
    values: [since, merNo, ...applied.values(applications)],
  })
  return rows.map(toRefund)
}

const applied = listOf<Application>(
  {
    refund_no: text((one) => one.refundNo),
    mer_refund_no: text((one) => one.merRefundNo),
    trade_no: text((one) => one.tradeNo),
    amount: int8((one) => one.money.amount),
    remark: text((one) => one.remark),
    replay_proof: bool((one) => one.isReplayProof),
  },
  3,
)

const selectEarlierText = `
  with given as materialized (
    select refund_no, mer_refund_no, trade_no, amount, remark, replay_proof from ${applied.text}
  )
  select ${columns} from given g join refunds r on r.mer_no = $2 and r.refund_no = g.refund_no
  union
  select ${columns} from given g join refunds r on r.mer_no = $2 and r.mer_refund_no = g.mer_refund_no
  union
  select r.* from given g cross join lateral (
    select ${columns} from refunds r
    where r.mer_no = $2 and r.trade_no = g.trade_no and r.amount = g.amount and r.remark = g.remark
      and (r.decided_at is null or r.created_at > $1)
    order by r.decided_at is null desc, r.created_at desc
    limit 1
  ) r
  where g.mer_refund_no is null
  union
  select r.* from given g cross join lateral (
    select ${columns} from refunds r
    where r.mer_no = $2 and r.trade_no = g.trade_no and r.amount = g.amount and r.state not in ('failed', 'returned')
    limit 1
  ) r
  where not g.replay_proof`

export async function insertRefunds(tx: Tx, refunds: readonly Refund[]): Promise<void> {
  if (refunds.length === 0) return
  await tx.query({ name: 'refunds.insert', text: insertText, values: inserted.values(refunds) })
}

const inserted = listOf<Refund>({
  mer_no: int8((one) => one.merNo),
  refund_no: text((one) => one.refundNo),
  trade_no: text((one) => one.tradeNo),
  mer_order_no: text((one) => one.merOrderNo),
  mer_refund_no: text((one) => one.merRefundNo),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  refund_fee: int8((one) => one.fee),
  remark: text((one) => one.remark),
  notify_url: text((one) => one.notifyUrl),
  channel: text((one) => one.payment.channel),
  attempt_no: int4((one) => one.payment.attemptNo),
  attempt_ref: text((one) => one.payment.channelRef),
  paid_amount: int8((one) => one.payment.amount),
  asked_kind: text((one) => one.askedBy?.kind),
  asked_by: text((one) => one.askedBy?.name),
  state: text((one) => one.state),
  message: text((one) => one.message),
  created_at: time((one) => one.createdAt),
  // A refund that needs no approval is due immediately.
  ask_at: time((one) => (one.state === 'waiting' ? undefined : one.createdAt)),
})

const insertText = `
  insert into refunds (
    mer_no, refund_no, trade_no, mer_order_no, mer_refund_no, currency, amount, refund_fee, remark, notify_url,
    channel, attempt_no, attempt_ref, paid_amount, asked_kind, asked_by, state, message, created_at, ask_at)
  select
    mer_no, refund_no, trade_no, mer_order_no, mer_refund_no, currency, amount, refund_fee, remark, notify_url,
    channel, attempt_no, attempt_ref, paid_amount, asked_kind, asked_by, state, message, created_at, ask_at
  from ${inserted.text}`

export type RefundKey = { readonly merNo: number; readonly refundNo: string }

/** Locks the refunds in the order of their keys. Returns them by refund number. The caller has locked the orders. */
export async function lockRefunds(tx: Tx, keys: readonly RefundKey[]): Promise<Map<string, Refund>> {
  const rows = await tx.query<Row>({
    name: 'refunds.lock',
    text: `
      select ${columns} from ${keyed.text}
      join refunds r using (mer_no, refund_no)
      order by r.mer_no, r.refund_no
      for update of r`,
    values: keyed.values(keys),
  })
  return new Map(rows.map((row) => [row.refund_no, toRefund(row)]))
}

const keyed = listOf<RefundKey>({
  mer_no: int8((one) => one.merNo),
  refund_no: text((one) => one.refundNo),
})

export type RefundChange = {
  readonly refund: Refund
  readonly state: RefundState
  readonly message: string
  readonly channelRef: string | undefined
  readonly cameBack: CameBack | undefined
  /** The new time of the next call. Undefined if the refund is decided or keeps the earlier time. */
  readonly askAt: Date | undefined
  readonly decided: boolean
  readonly at: Date
}

/** Writes refunds that still have the expected version (optimistic lock). Returns how many were written. */
export async function writeRefunds(tx: Tx, changes: readonly RefundChange[]): Promise<number> {
  const rows = await tx.query<{ refund_no: string }>({
    name: 'refunds.write',
    text: writeText,
    values: changed.values(changes),
  })
  return rows.length
}

const changed = listOf<RefundChange>({
  mer_no: int8((one) => one.refund.merNo),
  refund_no: text((one) => one.refund.refundNo),
  version: int4((one) => one.refund.version),
  from_state: text((one) => one.refund.state),
  to_state: text((one) => one.state),
  message: text((one) => one.message),
  channel_ref: text((one) => one.channelRef),
  returned_amount: int8((one) => one.cameBack?.credited),
  ask_at: time((one) => one.askAt),
  decided: bool((one) => one.decided),
  at: time((one) => one.at),
})

const writeText = `
  with given as materialized (
    select mer_no, refund_no, version, from_state, to_state, message, channel_ref, returned_amount, ask_at, decided, at
    from ${changed.text}
  ), history as (
    insert into refund_events (mer_no, refund_no, version, from_state, to_state, why, at)
    select mer_no, refund_no, version + 1, from_state, to_state, message, at from given where to_state <> from_state
  )
  update refunds r set
    state = g.to_state,
    version = case when g.to_state = g.from_state then r.version else r.version + 1 end,
    message = g.message,
    channel_ref = coalesce(g.channel_ref, r.channel_ref),
    returned_amount = coalesce(g.returned_amount, r.returned_amount),
    ask_at = case when g.decided then null else coalesce(g.ask_at, r.ask_at) end,
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

export type DatedRefund = Refund & { readonly decidedAt: Date | undefined }
type DatedRow = Row & { readonly decided_at: Date | null }

function toDatedRefund(row: DatedRow): DatedRefund {
  return { ...toRefund(row), decidedAt: row.decided_at ?? undefined }
}

export async function selectOfOrder(
  db: Queryable,
  merNo: number,
  tradeNo: string,
  limit: number,
): Promise<DatedRefund[]> {
  const rows = await db.query<DatedRow>({
    name: 'refunds.of-order',
    text: `select ${columns}, r.decided_at from refunds r where r.mer_no = $1 and r.trade_no = $2
      order by r.created_at, r.refund_no limit $3`,
    values: [merNo, tradeNo, limit],
  })
  return rows.map(toDatedRefund)
}

export type RefundPage = {
  /** The merchant to select. Undefined selects all merchants. */
  readonly merNo: number | undefined
  /** The state to select. Undefined selects all states. */
  readonly state: RefundState | undefined
  /** The last refund number of the previous page. */
  readonly after: string | undefined
  readonly limit: number
}

/** Returns one page of the refunds of one merchant or of all merchants, newest first. */
export async function selectPage(db: Queryable, page: RefundPage): Promise<DatedRefund[]> {
  const { merNo, state, after, limit } = page
  const rows = await db.query<DatedRow>(
    merNo === undefined
      ? {
          text: pageOfAllText,
          values: [after ?? null, limit, listed.value(state === undefined ? refundStates : [state])],
        }
      : {
          text: `select ${columns}, r.decided_at from refunds r
            where r.mer_no = $1 and ($2::text is null or r.state = $2) and ($3::text is null or r.refund_no < $3)
            order by r.refund_no desc limit $4`,
          values: [merNo, state ?? null, after ?? null, limit],
        },
  )
  return rows.map(toDatedRefund)
}

const listed = arrayOf(text<RefundState>(itself), 3)

/**
 * Selects a page of the refunds of all merchants. The newest refunds in each state are read from an index, and the
 * newest of all these refunds are the page.
 */
const pageOfAllText = `
  select ${columns}, r.decided_at from (select unnest(${listed.text}) as state) w
  cross join lateral (
    select * from refunds
    where state = w.state and ($1::text is null or refund_no < $1)
    order by refund_no desc limit $2
  ) r
  order by r.refund_no desc limit $2`

/** Returns refunds that wait for approval, of one merchant or of all merchants, oldest first. */
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

/** Renews the lease. Returns false if the refund was claimed again, or changed its state, since the caller's claim. */
export async function renewLease(db: Queryable, refund: Refund, until: Date): Promise<boolean> {
  const values = [refund.merNo, refund.refundNo, refund.asks, refund.version, until]
  return (await db.query({ name: 'refunds.renew', text: renewText, values })).length > 0
}

const renewText = `
  update refunds set ask_at = case when ask_at is not null then greatest(ask_at, $5) end
  where mer_no = $1 and refund_no = $2 and asks = $3 and version = $4 returning 1`

export async function claimDue(db: Db, due: Claim): Promise<Refund[]> {
  const values = [due.now, due.leaseUntil, due.limit, busy.value(due.busy)]
  const rows = await db.query<Row>({ name: 'refunds.claim', text: claimText, values }, { byKey: true })
  return rows.map(toRefund)
}

const busy = arrayOf(text<string>(itself), 4)

const claimText = `
  with due as (
    select mer_no, refund_no from refunds
    where ask_at <= $1 and channel <> all (${busy.text})
    order by ask_at
    limit $3
    for update skip locked
  )
  update refunds r set ask_at = $2, asks = r.asks + 1
  from due
  where r.mer_no = due.mer_no and r.refund_no = due.refund_no
  returning ${columns}`

export type RefundMovementRow = MovementRow & { readonly refund_no: string }

const movementColumns = 'r.mer_no, r.trade_no, r.refund_no, r.channel, r.currency, r.amount, r.state'

export function selectMovements(db: Queryable, keys: readonly RefundKey[]): Promise<RefundMovementRow[]> {
  return db.query<RefundMovementRow>({
    text: `select ${movementColumns} from ${keyed.text} join refunds r using (mer_no, refund_no)`,
    values: keyed.values(keys),
  })
}

export function readDone(
  tx: Tx,
  { channel, from, until }: MovementPeriod,
): AsyncGenerator<RefundMovementRow[]> {
  return readInPieces<RefundMovementRow>(tx, {
    text: `
      select ${movementColumns} from refunds r
      where r.channel = $1 and r.state = 'succeeded' and r.decided_at >= $2 and r.decided_at < $3`,
    values: [channel, from, until],
  })
}

export type OpenCounts = {
  readonly open: number
  readonly waiting: number
  /** The creation time of the oldest refund that waits for approval. */
  readonly waitingSince: Date | null
}

export async function selectOpenCounts(db: Queryable): Promise<OpenCounts> {
  const [row] = await db.query<OpenCounts>({
    text: `select
      (select count(*)::int from refunds where ask_at is not null) as open,
      (select count(*)::int from refunds where state = 'waiting') as waiting,
      (select min(created_at) from refunds where state = 'waiting') as "waitingSince"`,
  })
  return row ?? { open: 0, waiting: 0, waitingSince: null }
}
