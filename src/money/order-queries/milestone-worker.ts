import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import { type Interval, type Repetition, repeat } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { committedBefore } from './as-of.ts'
import { addMilestones, dropWrongMilestones } from './milestones.ts'

export type MilestoneDeps = Interval & {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly alarm: (subject: string, what: string) => void
}

/**
 * Adds milestones to the order lists as payments arrive. Milestones may be minutes behind, because orders after the
 * last milestone are counted one by one, and counting a few orders is cheap.
 */
export function startMilestones({ db, clock, log, alarm, everyMs }: MilestoneDeps): Repetition {
  return repeat({
    everyMs,
    work: () => addMilestones(db, committedBefore({ at: clock.now() }), { failed: alarmOf(alarm) }),
    failed: (error) => log.error({ err: error }, 'milestones of the order lists could not be added'),
  })
}

export function startMilestoneCheck({ db, log, alarm, everyMs }: MilestoneDeps): Repetition {
  return repeat({
    everyMs,
    async work() {
      const merNos = (await dropWrongMilestones(db, alarmOf(alarm))).map(Number)
      if (merNos.length > 0) log.warn({ merNos }, 'milestones of the order lists were wrong and are rebuilt')
    },
    failed: (error) => log.error({ err: error }, 'milestones of the order lists could not be checked'),
  })
}

function alarmOf(alarm: MilestoneDeps['alarm']) {
  return (merNo: bigint, error: unknown) =>
    alarm(`merchant ${merNo}`, `milestones of its order list could not be updated: ${String(error)}`)
}
