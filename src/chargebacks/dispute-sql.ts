import type { Dispute } from '../channels/contract.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { int8, listOf, text, time } from '../postgres/lists.ts'

/** A dispute with the channel that reported it. */
export type ReportedDispute = Dispute & { readonly channel: string }

/** The time of the channel's latest stored dispute; undefined before the first one. */
export async function lastReportedAt(db: Queryable, channel: string): Promise<Date | undefined> {
  const [row] = await db.query<{ told_at: Date }>({
    name: 'disputes.last',
    text: 'select told_at from channel_disputes where channel = $1 order by told_at desc limit 1',
    values: [channel],
  })
  return row?.told_at
}

/** Stores new disputes and leaves stored ones unchanged. Returns how many were new. */
export async function storeDisputes(
  db: Queryable,
  channel: string,
  disputes: readonly Dispute[],
): Promise<number> {
  const rows = await db.query({
    text: `
      insert into channel_disputes (channel, dispute_ref, reference, currency, amount, reason, told_at)
      select $1, dispute_ref, reference, currency, amount, reason, told_at
      from ${disputeRows.text}
      on conflict (channel, dispute_ref) do nothing
      returning dispute_ref`,
    values: [channel, ...disputeRows.values(disputes)],
  })
  return rows.length
}

const disputeRows = listOf<Dispute>(
  {
    dispute_ref: text((one) => one.disputeRef),
    reference: text((one) => one.reference),
    currency: text((one) => one.money.currency),
    amount: int8((one) => one.money.amount),
    reason: text((one) => one.reason),
    told_at: time((one) => one.at),
  },
  2,
)

type Row = {
  channel: string
  dispute_ref: string
  reference: string
  currency: string
  amount: bigint
  reason: string
  told_at: Date
}

/** Disputes after `after` that are not processed yet, oldest first. */
export async function selectWaiting(
  db: Queryable,
  after: ReportedDispute | undefined,
  limit: number,
): Promise<ReportedDispute[]> {
  const rows = await db.query<Row>({
    name: 'disputes.waiting',
    text: `
      select channel, dispute_ref, reference, currency, amount, reason, told_at from channel_disputes
      where taken_at is null and (told_at, channel, dispute_ref) > ($1, $2, $3)
      order by told_at, channel, dispute_ref limit $4`,
    values: [after?.at ?? '-infinity', after?.channel ?? '', after?.disputeRef ?? '', limit],
  })
  return rows.map((row) => ({
    channel: row.channel,
    disputeRef: row.dispute_ref,
    reference: row.reference,
    money: { amount: row.amount, currency: row.currency },
    reason: row.reason,
    at: row.told_at,
  }))
}

/** Locks the dispute until the commit; false when it was processed already or another node has the lock. */
export async function lockWaiting(tx: Tx, { channel, disputeRef }: ReportedDispute): Promise<boolean> {
  const rows = await tx.query({
    text: `select dispute_ref from channel_disputes
      where channel = $1 and dispute_ref = $2 and taken_at is null for update skip locked`,
    values: [channel, disputeRef],
  })
  return rows.length === 1
}

/** The result of a dispute. */
export type Taking = {
  readonly result: string
  /** The chargeback that the dispute opened, matches or differs from. */
  readonly chargebackId?: string
  readonly at: Date
}

export async function markTaken(
  tx: Tx,
  { channel, disputeRef }: ReportedDispute,
  { result, chargebackId, at }: Taking,
): Promise<void> {
  await tx.query({
    text: `update channel_disputes set taken_at = $3, result = $4, chargeback_id = $5
      where channel = $1 and dispute_ref = $2`,
    values: [channel, disputeRef, at, result, chargebackId ?? null],
  })
}
