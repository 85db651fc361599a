// Owns the claim of open attempts. The resolver claims an open attempt before it queries the channel for the outcome.
//
// Any number of nodes may claim. A claim skips locked rows and sets the time of the next query to the end of the lease.
// So if a node dies, other nodes claim its attempts when the lease ends. A claim changes no attempt's state and locks
// no order.
import { merNoOf } from '../../platform/base/id.ts'
import type { Money } from '../../platform/base/money.ts'
import type { Claim } from '../../platform/concurrency/claim-loop.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { arrayOf, itself, text } from '../../platform/postgres/lists.ts'
import { createSweeper } from '../../platform/postgres/sweep.ts'
import type { PayerAction } from '../../rails/contract/channel.ts'
import type { Method } from '../../rails/methods/methods.ts'
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

/** Returns the function that runs before each claim and makes the lost calls of compact orders claimable. */
export function sweepCalls(db: Db, failed: (error: unknown) => void): () => Promise<void> {
  return createSweeper(db, lostCalls, { everyMs: SWEEP_MS, sparesNew: true, failed })
}

/** Claims the attempts that are due, the longest due first. */
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

/** Finds an attempt in any state. */
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

/** True if the reference belongs to an attempt that succeeded. */
export async function isPaid(db: Queryable, reference: string): Promise<boolean> {
  const key = attemptOf(reference)
  const merNo = key && merNoOf(key.tradeNo)
  if (key === undefined || merNo === undefined) return false
  return (await findAttempt(db, { ...key, merNo }))?.state === 'succeeded'
}

/**
 * Makes the resolver claim a pending attempt at the time `at` or earlier. So if the channel's response to the payer's
 * cancellation is lost, the attempt is cancelled again.
 */
export async function cancelAgainAt(db: Queryable, key: AttemptKey, at: Date): Promise<void> {
  await db.query({
    name: 'attempts.cancel-again-at',
    text: `update attempt_rows set ask_at = least(ask_at, $4)
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and state = 'pending'`,
    values: [key.merNo, key.tradeNo, key.attemptNo, at],
  })
}
