// Owns the claim of open attempts: the resolver asks their channels again.
//
// Any number of nodes may claim. A claim skips locked rows and moves the time of the next query by a lease, so a node that
// dies delays its claims by one lease at most. Claiming changes no state and locks no order.
import { merNoOf } from '../base/id.ts'
import type { Money } from '../base/money.ts'
import type { PayerAction } from '../channels/contract.ts'
import type { Method } from '../channels/method.ts'
import type { Claim } from '../concurrency/claim-loop.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import { arrayOf, itself, text } from '../postgres/lists.ts'
import { createSweeper } from '../postgres/sweep.ts'
import { lostCalls } from './compact-sql.ts'
import { type AttemptKey, type AttemptState, attemptOf } from './order.ts'

export type OpenAttempt = AttemptKey & {
  readonly channel: string
  readonly method: Method
  readonly channelRef: string | undefined
  readonly action: PayerAction | undefined
  readonly state: AttemptState
  readonly money: Money
  readonly createdAt: Date
}

type Row = {
  mer_no: bigint
  trade_no: string
  attempt_no: number
  channel: string
  method: Method
  channel_ref: string | null
  action: PayerAction | null
  state: AttemptState
  currency: string
  amount: bigint
  created_at: Date
}

const SWEEP_MS = 5_000

/** To be called before each claim: calls that were lost become attempts that can be claimed. */
export function sweepCalls(db: Db, failed: (error: unknown) => void): () => Promise<void> {
  return createSweeper(db, lostCalls, { everyMs: SWEEP_MS, sparesNew: true, failed })
}

/** Due attempts, longest due first. */
export async function claimAttempts(db: Db, claim: Claim): Promise<OpenAttempt[]> {
  const values = [claim.now, claim.leaseUntil, claim.limit, busy.value(claim.busy)]
  const rows = await db.query<Row>({ name: 'attempts.claim', text: claimText, values }, { byKey: true })
  return rows.map(toAttempt)
}

function toAttempt(row: Row): OpenAttempt {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
    channel: row.channel,
    method: row.method,
    channelRef: row.channel_ref ?? undefined,
    action: row.action ?? undefined,
    state: row.state,
    money: { amount: row.amount, currency: row.currency },
    createdAt: row.created_at,
  }
}

const busy = arrayOf(text<string>(itself), 4)

const claimText = `
  with due as (
    select mer_no, trade_no, attempt_no from attempt_rows
    where ask_at <= $1 and channel <> all (${busy.text})
    order by ask_at
    limit $3
    for update skip locked
  )
  update attempt_rows a set ask_at = $2, asks = a.asks + 1
  from due join orders o using (mer_no, trade_no)
  where a.mer_no = due.mer_no and a.trade_no = due.trade_no and a.attempt_no = due.attempt_no
  returning a.mer_no, a.trade_no, a.attempt_no, a.channel, o.method, a.channel_ref, a.action, a.state,
    o.currency, o.amount, a.created_at`

/** An attempt in any state, with the method of its order. */
export async function findAttempt(db: Queryable, key: AttemptKey): Promise<OpenAttempt | undefined> {
  const [row] = await db.query<Row>({
    text: `
      select a.mer_no, a.trade_no, a.attempt_no, a.channel, o.method, a.channel_ref, a.action, a.state, o.currency, o.amount,
        a.created_at
      from attempts a join orders o using (mer_no, trade_no)
      where a.mer_no = $1 and a.trade_no = $2 and a.attempt_no = $3`,
    values: [key.merNo, key.tradeNo, key.attemptNo],
  })
  return row && toAttempt(row)
}

/** Whether the reference is one of an attempt that succeeded. */
export async function isPaid(db: Queryable, reference: string): Promise<boolean> {
  const key = attemptOf(reference)
  const merNo = key && merNoOf(key.tradeNo)
  if (key === undefined || merNo === undefined) return false
  return (await findAttempt(db, { ...key, merNo }))?.state === 'succeeded'
}

/** Before the payer's cancellation is sent: if its response is lost, the resolver cancels again at this time. */
export async function cancelAgainAt(db: Queryable, key: AttemptKey, at: Date): Promise<void> {
  await db.query({
    name: 'attempts.cancel-again-at',
    text: `update attempt_rows set ask_at = least(ask_at, $4)
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and state = 'pending'`,
    values: [key.merNo, key.tradeNo, key.attemptNo, at],
  })
}

/** The number of attempts whose outcome is unknown, and the oldest order with one. */
export async function countUnknown(
  db: Queryable,
): Promise<{ readonly count: number; readonly first: string | null }> {
  const [row] = await db.query<{ unknown: bigint; first: string | null }>({
    text: `select count(*) as unknown, min(trade_no) as first from attempt_rows
      where ask_at is not null and state = 'unknown'`,
  })
  return { count: Number(row?.unknown ?? 0), first: row?.first ?? null }
}
