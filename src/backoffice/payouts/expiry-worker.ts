// Nobody approved a run of payouts in time: it can never be made, so its accounts are no longer kept.
import type { Logger } from 'pino'
import { expiredUntil } from '../../approvals/approval.ts'
import type { Clock } from '../../base/clock.ts'
import { type Repetition, repeat } from '../../concurrency/repeat.ts'
import type { Db } from '../../postgres/db.ts'
import { endExpiredLines } from './line-sql.ts'

const EVERY_MS = 60_000

export type RunExpiryDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

export function startRunExpiry(deps: RunExpiryDeps): Repetition {
  return repeat({
    everyMs: EVERY_MS,
    work: () => endExpiredRuns(deps),
    failed: (error) => deps.log.error({ err: error }, 'expired runs of payouts could not be ended'),
  })
}

export function endExpiredRuns({ db, clock }: Omit<RunExpiryDeps, 'log'>): Promise<void> {
  return endExpiredLines(db, expiredUntil(clock.now()))
}
