import type { Clock } from '../base/clock.ts'
import { timeOf } from '../base/id.ts'
import type { Queryable } from '../postgres/db.ts'
import { selectOldestDelta } from './balance-sql.ts'

/** For how many seconds the oldest delta has waited to be folded; undefined when none waits. */
export async function oldestDelta(db: Queryable, clock: Clock): Promise<number | undefined> {
  const deltaId = await selectOldestDelta(db)
  const madeAt = deltaId === undefined ? undefined : timeOf(deltaId)
  return madeAt && Math.max(0, (clock.now().getTime() - madeAt.getTime()) / 1000)
}
