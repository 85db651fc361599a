// Stores and finds hits: the effects of lists and rules on attempts.
import type { Queryable, Statement } from '../../platform/postgres/db.ts'
import type { FoundHit, HitFilter } from './evaluate.ts'
import { type CheckedAttempt, countHits, insertVerdicts, selectHits, selectHitsOf } from './hit-sql.ts'

export function hitsOf(db: Queryable, merNo: number, tradeNo: string): Promise<FoundHit[]> {
  return selectHitsOf(db, merNo, tradeNo)
}

export function listHits(db: Queryable, filter: HitFilter, limit: number): Promise<FoundHit[]> {
  return selectHits(db, filter, limit)
}

const MOST_SHOWN = 10_000

export function hitsSince(
  db: Queryable,
  ruleIds: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  return countHits(db, ruleIds, since, MOST_SHOWN)
}

export function storeVerdicts(attempts: readonly CheckedAttempt[]): Statement[] {
  return attempts.length === 0 ? [] : insertVerdicts(attempts)
}
