// Owns the table channel_disputes.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { bool, int8, listOf, text, time } from '../../platform/postgres/lists.ts'
import type { Dispute } from '../../rails/contract/channel.ts'

export type Stage = NonNullable<Dispute['stage']>

export type ReportedDispute = Dispute & { readonly channel: string; readonly stage: Stage }

/** The source of a report (the channel's list of disputes, or a callback), and the time at which the report arrived. */
export type Source = { readonly from: 'list' | 'callback'; readonly at: Date }

export function toReported(channel: string, dispute: Dispute): ReportedDispute {
  return { ...dispute, channel, stage: dispute.stage ?? 'open' }
}

/** Returns the time of the latest report up to `until` that came from the channel's list. */
export async function lastReportedAt(db: Queryable, channel: string, until: Date): Promise<Date | undefined> {
  const [row] = await db.query<{ told_at: Date }>({
    name: 'disputes.last',
    text: `select told_at from channel_disputes where channel = $1 and not by_callback and told_at <= $2
      order by told_at desc limit 1`,
    values: [channel, until],
  })
  return row?.told_at
}

/**
 * Stores new reports. A stored report keeps its content. Only its source changes, from callback to list, once the
 * channel lists the report. A read of the list starts at the last report that came from the list. A report from a
 * callback is not used as the start, because the list may have earlier disputes that were not read yet.
 */
export async function storeDisputes(
  db: Queryable,
  disputes: readonly ReportedDispute[],
  { from, at }: Source,
): Promise<void> {
  const isCallback = from === 'callback'
  await db.query({
    text: `
      insert into channel_disputes (
        channel, dispute_ref, stage, reference, currency, amount, reason, told_at, respond_by, by_callback,
        stored_at)
      select distinct on (channel, dispute_ref, stage, told_at)
        channel, dispute_ref, stage, reference, currency, amount, reason, told_at, respond_by, by_callback,
        $1::timestamptz
      from ${disputeRows.text}
      on conflict (channel, dispute_ref, stage, told_at) do update set by_callback = false
      where channel_disputes.by_callback and not excluded.by_callback`,
    values: [at, ...disputeRows.values(disputes.map((one) => ({ ...one, isCallback })))],
  })
}

const disputeRows = listOf<ReportedDispute & { readonly isCallback: boolean }>(
  {
    channel: text((one) => one.channel),
    dispute_ref: text((one) => one.disputeRef),
    stage: text((one) => one.stage),
    reference: text((one) => one.reference),
    currency: text((one) => one.money.currency),
    amount: int8((one) => one.money.amount),
    reason: text((one) => one.reason),
    told_at: time((one) => one.at),
    respond_by: time((one) => one.respondBy),
    by_callback: bool((one) => one.isCallback),
  },
  2,
)

type Row = {
  channel: string
  dispute_ref: string
  stage: Stage
  reference: string
  currency: string
  amount: bigint
  reason: string
  told_at: Date
  respond_by: Date | null
}

/** Returns the reports after `after` that are not processed yet, oldest first. */
export async function selectWaiting(
  db: Queryable,
  after: ReportedDispute | undefined,
  limit: number,
): Promise<ReportedDispute[]> {
  const rows = await db.query<Row>({
    name: 'disputes.waiting',
    text: `
      select channel, dispute_ref, stage, reference, currency, amount, reason, told_at, respond_by
      from channel_disputes
      where taken_at is null and (told_at, channel, dispute_ref, stage) > ($1, $2, $3, $4)
      order by told_at, channel, dispute_ref, stage limit $5`,
    values: [
      after?.at ?? '-infinity',
      after?.channel ?? '',
      after?.disputeRef ?? '',
      after?.stage ?? '',
      limit,
    ],
  })
  return rows.map((row) => ({
    channel: row.channel,
    disputeRef: row.dispute_ref,
    stage: row.stage,
    reference: row.reference,
    money: { amount: row.amount, currency: row.currency },
    reason: row.reason,
    at: row.told_at,
    ...(row.respond_by !== null && { respondBy: row.respond_by }),
  }))
}

/** Locks the report until the commit. Returns false if it is already processed or another node holds the lock. */
export async function lockWaiting(tx: Tx, dispute: ReportedDispute): Promise<boolean> {
  const rows = await tx.query({
    text: `select dispute_ref from channel_disputes
      where channel = $1 and dispute_ref = $2 and stage = $3 and told_at = $4 and taken_at is null
      for update skip locked`,
    values: keyOf(dispute),
  })
  return rows.length === 1
}

export type TakenStage = { readonly stage: Stage; readonly at: Date }

/** Returns the processed reports of the same dispute, as stages with their times. */
export async function selectTaken(
  tx: Tx,
  { channel, disputeRef }: ReportedDispute,
): Promise<readonly TakenStage[]> {
  return tx.query<TakenStage>({
    text: `select stage, told_at as at from channel_disputes
      where channel = $1 and dispute_ref = $2 and taken_at is not null`,
    values: [channel, disputeRef],
  })
}

export type Taking = {
  readonly result: string
  /** The chargeback or inquiry that the report opened, changed, matches or differs from. */
  readonly chargebackId?: string | undefined
  readonly at: Date
}

export async function markTaken(
  tx: Tx,
  dispute: ReportedDispute,
  { result, chargebackId, at }: Taking,
): Promise<void> {
  await tx.query({
    text: `update channel_disputes set taken_at = $5, result = $6, chargeback_id = $7
      where channel = $1 and dispute_ref = $2 and stage = $3 and told_at = $4`,
    values: [...keyOf(dispute), at, result, chargebackId ?? null],
  })
}

function keyOf({ channel, disputeRef, stage, at }: ReportedDispute): unknown[] {
  return [channel, disputeRef, stage, at]
}
