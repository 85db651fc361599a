// Deletes uses that are too old to be counted, entries that expired long ago, and hits of payments that are too old for
// disputes.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import { type Interval, type Repetition, repeat } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { deleteHits, deleteUses } from './hits.ts'
import { KEPT_MS } from './snapshot.ts'
import { deleteEntriesExpired } from './sql.ts'

const SLICE = 2_000
/**
 * The maximum number of slices in a round. A slice is at most `SLICE` rows, deleted by one statement. A shutdown waits
 * until the round ends.
 */
const SLICES = 100
/** The number of days for which hits are kept. Card schemes allow disputes up to 540 days after a payment. */
export const HITS_KEPT_DAYS = 550
/** The number of days for which expired entries are kept, so that people still see why a payment was declined. */
export const EXPIRED_KEPT_DAYS = 30
const DAY_MS = 86_400_000

export type RiskRetentionDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

export function startRiskRetention(deps: RiskRetentionDeps & Interval): Repetition {
  return repeat({
    everyMs: deps.everyMs,
    work: () => deleteOldRisk(deps),
    failed: (error) =>
      deps.log.error({ err: error }, 'old uses, entries and hits of risk could not be deleted'),
  })
}

export async function deleteOldRisk({ db, clock }: Omit<RiskRetentionDeps, 'log'>): Promise<void> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  const [uses, hits] = [ago(KEPT_MS), ago(HITS_KEPT_DAYS * DAY_MS)]
  const expired = ago(EXPIRED_KEPT_DAYS * DAY_MS)
  let left = SLICES
  while (left > 0 && (await deleteUses(db, uses, SLICE))) left--
  while (left > 0 && (await deleteEntriesExpired(db, expired, SLICE))) left--
  while (left > 0 && (await deleteHits(db, hits, SLICE))) left--
}
