// Deletes uses that no rule can count any more.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import type { Db } from '../postgres/db.ts'
import { deleteUses } from './hit-sql.ts'
import { KEPT_MS } from './snapshot.ts'

const EVERY_MS = 60_000
const SLICE = 2_000
/** A round ends after so many, because a shutdown waits for it. */
const SLICES = 100

export type UsesDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

export function startRiskRetention(deps: UsesDeps): Repetition {
  return repeat({
    everyMs: EVERY_MS,
    work: () => deleteOldUses(deps),
    failed: (error) => deps.log.error({ err: error }, 'old uses of risk rules could not be deleted'),
  })
}

async function deleteOldUses({ db, clock }: UsesDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS)
  for (let left = SLICES; left > 0; left--) if (!(await deleteUses(db, before, SLICE))) return
}
