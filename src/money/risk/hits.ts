import type { Queryable } from '../postgres/db.ts'
import type { FoundHit, HitFilter } from './hit.ts'
import { countHits, selectHits, selectHitsOf } from './hit-sql.ts'

/** What lists and rules did to an order's attempts. */
export function hitsOf(db: Queryable, merNo: number, tradeNo: string): Promise<FoundHit[]> {
  return selectHitsOf(db, merNo, tradeNo)
}

/** Newest first. */
export function listHits(db: Queryable, filter: HitFilter, limit: number): Promise<FoundHit[]> {
  return selectHits(db, filter, limit)
}

const MOST_SHOWN = 10_000

/** How many there were since then, by rule; no more than 10,000 of each. */
export function hitsSince(
  db: Queryable,
  ruleIds: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  return countHits(db, ruleIds, since, MOST_SHOWN)
}
