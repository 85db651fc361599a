// Owns channel_pauses and channel_health.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, int4, int8, itself, listOf, text, time } from '../../platform/postgres/lists.ts'

export type PauseRow = {
  readonly channel: string
  readonly paused_at: Date
  readonly paused_by: string
  readonly reason: string
}

export async function selectPauses(db: Queryable): Promise<PauseRow[]> {
  return await db.query<PauseRow>({
    text: 'select channel, paused_at, paused_by, reason from channel_pauses order by channel',
  })
}

/** Pauses the channel. Returns false if the channel was already paused. */
export async function insertPause(tx: Tx, row: PauseRow): Promise<boolean> {
  const rows = await tx.query({
    text: `insert into channel_pauses (channel, paused_at, paused_by, reason) values ($1, $2, $3, $4)
      on conflict (channel) do nothing returning channel`,
    values: [row.channel, row.paused_at, row.paused_by, row.reason],
  })
  return rows.length > 0
}

/** Ends the channel's pause. Returns false if the channel was not paused. */
export async function deletePause(tx: Tx, channel: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from channel_pauses where channel = $1 returning channel',
    values: [channel],
  })
  return rows.length > 0
}

/** Notifies every node, when the transaction commits, to read the pauses again. */
export async function announcePauses(tx: Tx): Promise<void> {
  await tx.query({ text: `select pg_notify('channel_pauses', '')` })
}

export type HealthRow = {
  readonly channel: string
  readonly minute: Date
  readonly outcome: string
  readonly calls: number
  readonly totalMs: number
}

const counted = listOf<HealthRow>({
  channel: text((row) => row.channel),
  minute: time((row) => row.minute),
  outcome: text((row) => row.outcome),
  calls: int4((row) => row.calls),
  total_ms: int8((row) => row.totalMs),
})

/** Adds the counts to the rows that all nodes share. Rows are locked in key order, so that nodes do not deadlock. */
export async function addHealth(db: Queryable, rows: readonly HealthRow[]): Promise<void> {
  await db.query({
    text: `
      insert into channel_health as h (channel, minute, outcome, calls, total_ms)
      select channel, minute, outcome, calls, total_ms from ${counted.text}
      order by channel, minute, outcome
      on conflict (channel, minute, outcome)
      do update set calls = h.calls + excluded.calls, total_ms = h.total_ms + excluded.total_ms`,
    values: counted.values(rows),
  })
}

export async function deleteHealth(db: Queryable, before: Date): Promise<void> {
  await db.query({ text: 'delete from channel_health where minute < $1', values: [before] })
}

export type HealthSum = {
  readonly channel: string
  readonly outcome: string
  readonly calls: bigint
  readonly total_ms: string
}

export async function selectHealth(db: Queryable, since: Date): Promise<HealthSum[]> {
  return await db.query<HealthSum>({
    text: `
      select channel, outcome, sum(calls) as calls, sum(total_ms)::text as total_ms from channel_health
      where minute >= $1 group by channel, outcome`,
    values: [since],
  })
}

const named = arrayOf(text<string>(itself))

export async function selectEarlierHealth(
  db: Queryable,
  channels: readonly string[],
  before: Date,
): Promise<HealthSum[]> {
  return await db.query<HealthSum>({
    text: `
      select channel, outcome, sum(calls) as calls, sum(total_ms)::text as total_ms from channel_health
      where channel = any (${named.text}) and minute < $2 group by channel, outcome`,
    values: [named.value(channels), before],
  })
}
