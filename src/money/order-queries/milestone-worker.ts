import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import type { Db } from '../postgres/db.ts'
import { committedBefore } from './as-of.ts'
import { addMilestones, dropWrongMilestones } from './milestones.ts'

export type MilestoneDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  /** Called when an operator must check something. */
  readonly alarm: (subject: string, what: string) => void
}

// Younger orders are counted one by one, which is cheap: milestones are some minutes behind anyway.
const LAY_MS = 30_000
const CHECK_MS = 3_600_000

/** Adds milestones to the order lists as payments arrive, and checks from time to time that they are right. */
export function startMilestones({ db, clock, log, alarm }: MilestoneDeps): Repetition {
  const failed = (merNo: bigint, error: unknown) =>
    alarm(`merchant ${merNo}`, `milestones of its order list could not be updated: ${String(error)}`)
  const laying = repeat({
    everyMs: LAY_MS,
    work: () => addMilestones(db, committedBefore({ at: clock.now() }), { failed }),
    failed: (error) => log.error({ err: error }, 'milestones of the order lists could not be added'),
  })
  const checking = repeat({
    everyMs: CHECK_MS,
    async work() {
      const merNos = (await dropWrongMilestones(db, failed)).map(Number)
      if (merNos.length > 0) log.warn({ merNos }, 'milestones of the order lists were wrong and are rebuilt')
    },
    failed: (error) => log.error({ err: error }, 'milestones of the order lists could not be checked'),
  })
  return {
    async stop() {
      await Promise.all([laying.stop(), checking.stop()])
    },
  }
}
