// Owns channel_numbers, channel_records, channel_asks and channel_watchers.
import type { Claim } from '../../../platform/concurrency/claim-loop.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import { arrayOf, itself, text } from '../../../platform/postgres/lists.ts'
import type { ChannelRecord, ChannelStore, RecordBody, RecordKey } from '../../contract/store.ts'

type RecordRow = { kind: string; key: string; reference: string | null; body: RecordBody }

function toRecord({ kind, key, reference, body }: RecordRow): ChannelRecord {
  return { kind, key, body, ...(reference !== null && { reference }) }
}

/** True if the database has the tables of channels. The database of an early version lacks them until its migration. */
export async function hasChannelTables(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>({
    text: `select to_regclass('channel_numbers') is not null as found`,
  })
  return row?.found === true
}

export async function selectNumber(
  db: Queryable,
  channel: string,
  reference: string,
): Promise<bigint | undefined> {
  const [row] = await db.query<{ number: bigint }>({
    text: 'select number from channel_numbers where channel = $1 and reference = $2',
    values: [channel, reference],
  })
  return row?.number
}

export async function selectReference(
  db: Queryable,
  channel: string,
  number: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ reference: string }>({
    text: 'select reference from channel_numbers where channel = $1 and number = $2',
    values: [channel, number],
  })
  return row?.reference
}

/**
 * Lists the channels that gave out numbers. The table has few channels and millions of numbers, so each channel is
 * found by one index lookup instead of a scan.
 */
export async function selectNumberedChannels(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ channel: string }>({
    text: `
      with recursive names as (
        select min(channel) as channel from channel_numbers
        union all
        select (select min(n.channel) from channel_numbers n where n.channel > names.channel) from names
        where names.channel is not null
      )
      select channel from names where channel is not null order by channel`,
  })
  return rows.map(({ channel }) => channel)
}

type NumberRow = { number: bigint; reference: string }

export async function selectOuterNumbers(
  db: Queryable,
  channel: string,
  limit: number,
): Promise<NumberRow[]> {
  const some = (order: 'asc' | 'desc') =>
    `(select number, reference from channel_numbers where channel = $1 order by number ${order} limit $2)`
  return await db.query<NumberRow>({
    text: `${some('asc')} union ${some('desc')} order by number`,
    values: [channel, limit],
  })
}

/**
 * Gives the channel's next number to the reference. Returns undefined if the reference already has a number. A lock per
 * channel prevents gaps between numbers, because wallets stop looking for addresses after a gap.
 */
export async function insertNumber(tx: Tx, channel: string, reference: string): Promise<bigint | undefined> {
  await tx.query({
    text: `select pg_advisory_xact_lock(hashtextextended('channel numbers ' || $1, 0))`,
    values: [channel],
  })
  const [row] = await tx.query<{ number: bigint }>({
    text: `
      insert into channel_numbers (channel, number, reference)
      select $1, coalesce(max(number) + 1, 0), $2 from channel_numbers where channel = $1
      on conflict (channel, reference) do nothing
      returning number`,
    values: [channel, reference],
  })
  return row?.number
}

export async function selectRecord(
  db: Queryable,
  channel: string,
  { kind, key }: RecordKey,
): Promise<ChannelRecord | undefined> {
  const [row] = await db.query<RecordRow>({
    text: 'select kind, key, reference, body from channel_records where channel = $1 and kind = $2 and key = $3',
    values: [channel, kind, key],
  })
  return row && toRecord(row)
}

export async function selectRecordsOf(
  db: Queryable,
  channel: string,
  kind: string,
  reference: string,
): Promise<ChannelRecord[]> {
  const rows = await db.query<RecordRow>({
    text: `
      select kind, key, reference, body from channel_records
      where channel = $1 and kind = $2 and reference = $3 order by key`,
    values: [channel, kind, reference],
  })
  return rows.map(toRecord)
}

export async function selectRecords(
  db: Queryable,
  channel: string,
  kind: string,
  { after = '', limit }: Parameters<ChannelStore['list']>[1],
): Promise<ChannelRecord[]> {
  const rows = await db.query<RecordRow>({
    text: `
      select kind, key, reference, body from channel_records
      where channel = $1 and kind = $2 and key > $3 order by key limit $4`,
    values: [channel, kind, after, limit],
  })
  return rows.map(toRecord)
}

/** Adds a record. Returns false, and changes nothing, if there is already a record with this key. */
export async function addRecord(tx: Tx, channel: string, record: ChannelRecord, at: Date): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into channel_records (channel, kind, key, reference, body, changed_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (channel, kind, key) do nothing returning key`,
    values: [channel, record.kind, record.key, record.reference, JSON.stringify(record.body), at],
  })
  return rows.length > 0
}

/** Adds or replaces a record. Returns false if an equal record was there already. */
export async function putRecord(tx: Tx, channel: string, record: ChannelRecord, at: Date): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into channel_records as r (channel, kind, key, reference, body, changed_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (channel, kind, key) do update
      set reference = excluded.reference, body = excluded.body, changed_at = excluded.changed_at
      where (r.reference, r.body) is distinct from (excluded.reference, excluded.body)
      returning key`,
    values: [channel, record.kind, record.key, record.reference, JSON.stringify(record.body), at],
  })
  return rows.length > 0
}

export async function removeRecord(tx: Tx, channel: string, { kind, key }: RecordKey): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from channel_records where channel = $1 and kind = $2 and key = $3 returning key',
    values: [channel, kind, key],
  })
  return rows.length > 0
}

const references = arrayOf(text<string>(itself), 2)

export async function insertAsks(tx: Tx, channel: string, asked: readonly string[], at: Date): Promise<void> {
  await tx.query({
    text: `
      insert into channel_asks (channel, reference, ask_at)
      select distinct $1, reference, $3::timestamptz from unnest(${references.text}) as reference
      on conflict (channel, reference) do update set ask_at = excluded.ask_at, asks = 0`,
    values: [channel, references.value(asked), at],
  })
}

export type ClaimedAsk = {
  readonly channel: string
  readonly reference: string
  readonly leasedUntil: Date
  /** The number of claims, including this one, since the channel last scheduled the reference. */
  readonly asks: number
}

const busy = arrayOf(text<string>(itself), 4)

const claimText = `
  with due as (
    select channel, reference from channel_asks
    where ask_at <= $1 and channel <> all (${busy.text})
    order by ask_at limit $3
    for update skip locked
  )
  update channel_asks a set ask_at = $2, asks = a.asks + 1
  from due where a.channel = due.channel and a.reference = due.reference
  returning a.channel, a.reference, a.ask_at, a.asks`

export async function claimAsks(db: Db, claim: Claim): Promise<ClaimedAsk[]> {
  const values = [claim.now, claim.leaseUntil, claim.limit, busy.value(claim.busy)]
  const rows = await db.query<{ channel: string; reference: string; ask_at: Date; asks: number }>(
    { name: 'channel-asks.claim', text: claimText, values },
    { byKey: true },
  )
  return rows.map(({ ask_at: leasedUntil, ...ask }) => ({ ...ask, leasedUntil }))
}

export async function deleteAsk(
  db: Queryable,
  { channel, reference, leasedUntil }: ClaimedAsk,
): Promise<void> {
  await db.query({
    text: 'delete from channel_asks where channel = $1 and reference = $2 and ask_at = $3',
    values: [channel, reference, leasedUntil],
  })
}

export async function postponeAsk(
  db: Queryable,
  { channel, reference, leasedUntil }: ClaimedAsk,
  until: Date,
): Promise<void> {
  await db.query({
    text: 'update channel_asks set ask_at = $4 where channel = $1 and reference = $2 and ask_at = $3',
    values: [channel, reference, leasedUntil, until],
  })
}

/** Takes or renews the lease of a channel's background work. Returns true if the node now has the lease. */
export async function leaseWatcher(
  db: Queryable,
  { channel, node, now, until }: { channel: string; node: string; now: Date; until: Date },
): Promise<boolean> {
  const rows = await db.query({
    text: `
      insert into channel_watchers as w (channel, node, leased_until) values ($1, $2, $4)
      on conflict (channel) do update set node = excluded.node, leased_until = excluded.leased_until
      where w.node = excluded.node or w.leased_until <= $3
      returning channel`,
    values: [channel, node, now, until],
  })
  return rows.length > 0
}

export type WorkFailure = { readonly at: Date; readonly why: string }

/**
 * Records that background work fails: the time of the first failure in a row and the latest reason. Without `failure`,
 * clears the record.
 */
export async function noteWork(
  db: Queryable,
  channel: string,
  failure: WorkFailure | undefined,
): Promise<void> {
  await db.query({
    text: `update channel_watchers
      set failing_since = case when $2::timestamptz is not null then coalesce(failing_since, $2) end, failing_why = $3
      where channel = $1
        and ((failing_since is null) = ($2::timestamptz is not null) or failing_why is distinct from $3)`,
    values: [channel, failure?.at ?? null, failure?.why ?? null],
  })
}

/** `why` is empty if an earlier version recorded the failure without a reason. */
export type FailingWork = { readonly channel: string; readonly since: Date; readonly why: string }

/**
 * Selects the background work that fails, the longest failing first. Work of channels whose lease ended more than 5
 * minutes ago is left out.
 */
export async function selectFailingWork(db: Queryable, now: Date): Promise<FailingWork[]> {
  return db.query<FailingWork>({
    text: `select channel, failing_since as since, coalesce(failing_why, '') as why from channel_watchers
      where failing_since is not null and leased_until > $1::timestamptz - interval '5 minutes'
      order by failing_since, channel`,
    values: [now],
  })
}
