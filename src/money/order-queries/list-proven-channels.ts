// What became of payments and refunds that did not succeed, for whoever waits for the first one.
import type { Queryable } from '../postgres/db.ts'

export type LastTry = {
  readonly tradeNo: string
  readonly refundNo: string
  readonly channel: string
  readonly state: string
  readonly message: string
}

type TryRow = { trade_no: string; refund_no: string; channel: string; state: string; message: string }

/** The newest payment since then that has not succeeded; one that may have charged the payer comes first. */
export function findLastPayment(db: Queryable, since: Date): Promise<LastTry | undefined> {
  return first(
    db,
    `select trade_no, '' as refund_no, channel, state, message
     from attempts
     where created_at >= $1 and state <> 'succeeded'
     order by state in ('calling', 'unknown') desc, state = 'pending' desc, created_at desc
     limit 1`,
    [since],
  )
}

/** The newest refund at this channel since then; one that is not decided comes first. */
export function findLastRefund(db: Queryable, channel: string, since: Date): Promise<LastTry | undefined> {
  return first(
    db,
    `select trade_no, refund_no, channel, state, message
     from refunds
     where channel = $1 and created_at >= $2
     order by state in ('succeeded', 'failed', 'returned'), created_at desc
     limit 1`,
    [channel, since],
  )
}

async function first(db: Queryable, text: string, values: readonly unknown[]): Promise<LastTry | undefined> {
  const [row] = await db.query<TryRow>({ text, values: [...values] })
  if (row === undefined) return undefined
  const { trade_no, refund_no, channel, state, message } = row
  return { tradeNo: trade_no, refundNo: refund_no, channel, state, message }
}
