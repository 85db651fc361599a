import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import type { Db } from '../postgres/db.ts'
import { committedBefore } from './as-of.ts'
import { dropWrongMilestones, layMilestones } from './milestones.ts'

export type MilestoneDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  /** Something that people must look at. */
  readonly alarm: (subject: string, what: string) => void
}

// What is younger is counted one by one: this is little beside the minutes for which milestones wait anyway.
const LAY_MS = 30_000
const CHECK_MS = 3_600_000

/** Keeps the milestones of the order lists: lays them as payments come, and looks from time to time whether they are right. */
export function startMilestones({ db, clock, log, alarm }: MilestoneDeps): Repetition {
  const failed = (merNo: bigint, error: unknown) =>
    alarm(`merchant ${merNo}`, `milestones of its order list could not be kept: ${String(error)}`)
  const laying = repeat({
    everyMs: LAY_MS,
    work: () => layMilestones(db, committedBefore({ at: clock.now() }), { failed }),
    failed: (error) => log.error({ err: error }, 'milestones of the order lists could not be laid'),
  })
  const checking = repeat({
    everyMs: CHECK_MS,
    async work() {
      const merNos = (await dropWrongMilestones(db, failed)).map(Number)
      if (merNos.length > 0)
        log.warn({ merNos }, 'milestones of the order lists were wrong, and are laid anew')
    },
    failed: (error) => log.error({ err: error }, 'milestones of the order lists could not be checked'),
  })
  return {
    async stop() {
      await Promise.all([laying.stop(), checking.stop()])
    },
  }
}
