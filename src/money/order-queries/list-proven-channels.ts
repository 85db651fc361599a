// Queries for the checks before an installation goes live. The checks need a real payment and its refund. To check a
// backup, they look for the newest order of the restored copy in the live database.
import type { Queryable } from '../../platform/postgres/db.ts'

export type ProvenChannel = {
  readonly channel: string
  readonly tradeNo: string
  readonly method: string
  readonly isRefunded: boolean
}

/**
 * Lists each channel at which a payment created since `since` succeeded, with one such payment, preferably a refunded
 * one.
 */
export function listProvenChannels(db: Queryable, since: Date): Promise<ProvenChannel[]> {
  return db.query<ProvenChannel>({
    text: `
      select distinct on (a.channel) a.channel, o.trade_no as "tradeNo", o.method,
        r.refund_no is not null as "isRefunded"
      from orders o
      join attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no and a.state = 'succeeded'
      left join refunds r on r.mer_no = o.mer_no and r.trade_no = o.trade_no and r.state = 'succeeded'
      where o.created_at >= $1
      order by a.channel, "isRefunded" desc, o.created_at desc`,
    values: [since],
  })
}

export type LastTry = {
  readonly tradeNo: string
  readonly refundNo: string
  readonly channel: string
  readonly state: string
  readonly message: string
}

/**
 * Finds an attempt since `since` that has not succeeded. Attempts that may have charged the payer come first, then
 * pending attempts, then all others. Within each group, the newest attempt comes first.
 */
export function findLastPayment(db: Queryable, since: Date): Promise<LastTry | undefined> {
  return first(
    db,
    `select trade_no as "tradeNo", '' as "refundNo", channel, state, message
     from attempts
     where created_at >= $1 and state <> 'succeeded'
     order by state in ('calling', 'unknown') desc, state = 'pending' desc, created_at desc
     limit 1`,
    [since],
  )
}

/** Finds a refund at this channel since `since`: undecided refunds first, then the newest. */
export function findLastRefund(db: Queryable, channel: string, since: Date): Promise<LastTry | undefined> {
  return first(
    db,
    `select trade_no as "tradeNo", refund_no as "refundNo", channel, state, message
     from refunds
     where channel = $1 and created_at >= $2
     order by state in ('succeeded', 'failed', 'returned'), created_at desc
     limit 1`,
    [channel, since],
  )
}

async function first(db: Queryable, text: string, values: readonly unknown[]): Promise<LastTry | undefined> {
  const [row] = await db.query<LastTry>({ text, values: [...values] })
  return row
}

export async function findNewestOrder(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ trade_no: string }>({
    text: 'select trade_no from orders order by created_at desc limit 1',
  })
  return row?.trade_no
}

export async function hasOrder(db: Queryable, merNo: number, tradeNo: string): Promise<boolean> {
  const text = 'select from orders where mer_no = $1 and trade_no = $2'
  return (await db.query({ text, values: [merNo, tradeNo] })).length > 0
}
