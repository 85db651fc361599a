// Deletes old entries of the request log, merchant by merchant and in slices.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { uuidsFrom } from '../base/uuid.ts'
import { type Interval, type Repetition, repeat } from '../concurrency/repeat.ts'
import type { Db } from '../postgres/db.ts'
import { deleteBlocks, deleteRequests, selectMerchantsOfLog } from './sql.ts'

const SLICE = 2_000
/** The maximum number of full slices of a round, because a shutdown waits until the round ends. */
const SLICES = 100
const DAY_MS = 86_400_000

type RetentionDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  /** The number of days for which entries are kept. 0 deletes all entries. */
  readonly days: number
}

export function startRetention(deps: RetentionDeps & Interval): Repetition {
  return repeat({
    everyMs: deps.everyMs,
    work: () => deleteOldRequests(deps),
    failed: (error) => deps.log.error({ err: error }, 'old requests could not be deleted'),
  })
}

export async function deleteOldRequests({ db, clock, days }: Omit<RetentionDeps, 'log'>): Promise<void> {
  const below = uuidsFrom(new Date(clock.now().getTime() - days * DAY_MS))
  let left = SLICES
  for (const table of ['request_log', 'request_log_payments'] as const)
    for (const merNo of await selectMerchantsOfLog(db, table))
      while (left > 0 && (await deleteRequests(db, table, merNo, below, SLICE))) left--
  while (left > 0 && (await deleteBlocks(db, below, SLICE))) left--
}
