// Owns the tables risk_hits (the effects of lists and rules on attempts) and risk_uses (the payments that rules count).
//
// A use is a row that is committed with its attempt, so every node counts the use. A counter per key would make all
// payments of a merchant wait for the lock of one row. Concurrent payments do not count each other, so a burst can
// exceed a bound by the number of concurrent payments.
import type { Queryable, Statement } from '../../platform/postgres/db.ts'
import { bool, int4, int8, listOf, text, time } from '../../platform/postgres/lists.ts'
import type { Count, FoundHit, Hit, HitFilter, Need, Use, Verdict } from './evaluate.ts'
import { MOST_COUNTED } from './rule.ts'

export type CheckedAttempt = {
  readonly merNo: number
  readonly tradeNo: string
  readonly attemptNo: number
  readonly at: Date
  readonly verdict: Verdict
}

type HitRow = CheckedAttempt & { readonly hit: Hit }

const hits = listOf<HitRow>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
  source_id: text((one) => one.hit.sourceId),
  name: text((one) => one.hit.name),
  action: text((one) => one.hit.action),
  watched: bool((one) => one.hit.watched),
  at: time((one) => one.at),
})

const insertHitsText = `
  insert into risk_hits (mer_no, trade_no, attempt_no, source_id, name, action, watched, at)
  select mer_no, trade_no, attempt_no, source_id, name, action, watched, at from ${hits.text}`

type UseRow = CheckedAttempt & { readonly use: Use }

const uses = listOf<UseRow>({
  mer_no: int8((one) => one.use.merNo),
  key: text((one) => one.use.key),
  at: time((one) => one.at),
  trade_no: text((one) => one.tradeNo),
  usd_value: int8((one) => one.use.usdValue),
})

const insertUsesText = `
  insert into risk_uses (mer_no, key, at, trade_no, usd_value)
  select mer_no, key, at, trade_no, usd_value from ${uses.text}
  on conflict do nothing`

/** Returns the statements that store the verdicts, or an empty list if there is nothing to write. */
export function storeVerdicts(attempts: readonly CheckedAttempt[]): Statement[] {
  const hitRows = attempts.flatMap((one) => one.verdict.hits.map((hit) => ({ ...one, hit })))
  const useRows = attempts.flatMap((one) => one.verdict.uses.map((use) => ({ ...one, use })))
  return [
    ...(hitRows.length === 0
      ? []
      : [{ name: 'risk.insert-hits', text: insertHitsText, values: hits.values(hitRows) }]),
    ...(useRows.length === 0
      ? []
      : [{ name: 'risk.insert-uses', text: insertUsesText, values: uses.values(useRows) }]),
  ]
}

type Numbered = Need & { readonly no: number }

const needs = listOf<Numbered>({
  no: int4((one) => one.no),
  mer_no: int8((one) => one.merNo),
  key: text((one) => one.key),
  since: time((one) => one.since),
})

const countText = `
  select g.no, n.payments, n.usd
  from ${needs.text}
  cross join lateral (
    select count(*)::int as payments, coalesce(sum(u.usd_value), 0)::bigint as usd
    from (
      select usd_value from risk_uses
      where mer_no = g.mer_no and key = g.key and at > g.since
      order by at desc limit ${MOST_COUNTED}
    ) u
  ) n`

/** Returns one count per need, in the sequence of the needs. */
export async function countUses(db: Queryable, wanted: readonly Need[]): Promise<Count[]> {
  const rows = await db.query<{ no: number; payments: number; usd: bigint }>({
    name: 'risk.count-uses',
    text: countText,
    values: needs.values(wanted.map((need, no) => ({ ...need, no }))),
  })
  const byNo = new Map(rows.map(({ no, payments, usd }) => [no, { payments, usd }]))
  return wanted.map((_, no) => byNo.get(no) ?? { payments: 0, usd: 0n })
}

/** Deletes old uses. Returns true if there may be more. */
export async function deleteUses(db: Queryable, before: Date, limit: number): Promise<boolean> {
  const rows = await db.query({
    text: `delete from risk_uses where ctid in (select ctid from risk_uses where at < $1 limit $2)
      returning 1 as done`,
    values: [before, limit],
  })
  return rows.length === limit
}

/** Deletes old hits. Returns true if there may be more. */
export async function deleteHits(db: Queryable, before: Date, limit: number): Promise<boolean> {
  const rows = await db.query({
    text: `delete from risk_hits where ctid in (select ctid from risk_hits where at < $1 order by at limit $2)
      returning 1 as done`,
    values: [before, limit],
  })
  return rows.length === limit
}

const columns = `mer_no::float8 as "merNo", trade_no as "tradeNo", attempt_no as "attemptNo", source_id as "sourceId",
  name, action, watched, at`

export function hitsOf(db: Queryable, merNo: number, tradeNo: string): Promise<FoundHit[]> {
  return db.query<FoundHit>({
    text: `select ${columns} from risk_hits where mer_no = $1 and trade_no = $2
      order by attempt_no, source_id`,
    values: [merNo, tradeNo],
  })
}

/** Lists hits, newest first. */
export function listHits(db: Queryable, { sourceId, after }: HitFilter, limit: number): Promise<FoundHit[]> {
  return db.query<FoundHit>({
    text: `select ${columns} from risk_hits
      where ($1::text is null or source_id = $1)
        and ($2::timestamptz is null or (at, trade_no, source_id) < ($2, $3, $4))
      order by at desc, trade_no desc, source_id desc limit $5`,
    values: [sourceId ?? null, after?.at ?? null, after?.tradeNo ?? null, after?.sourceId ?? null, limit],
  })
}

const sources = listOf<string>({ source_id: text((id) => id) })

const MOST_SHOWN = 10_000

/** Counts the hits of each rule since a time, up to `MOST_SHOWN` for each rule. */
export async function hitsSince(
  db: Queryable,
  ruleIds: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await db.query<{ source_id: string; hits: number }>({
    text: `
      select g.source_id, n.hits from ${sources.text}
      cross join lateral (
        select count(*)::int as hits
        from (select 1 from risk_hits where source_id = g.source_id and at >= ${sources.next} limit ${MOST_SHOWN}) h
      ) n`,
    values: [...sources.values(ruleIds), since],
  })
  return new Map(rows.map(({ source_id, hits }) => [source_id, hits]))
}
