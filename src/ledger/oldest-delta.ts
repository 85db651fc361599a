import type { Clock } from '../base/clock.ts'
import { timeOf } from '../base/id.ts'
import type { Queryable } from '../postgres/db.ts'

/** The age in seconds of the oldest delta that is not folded yet; undefined if there is none. */
export async function oldestDelta(db: Queryable, clock: Clock): Promise<number | undefined> {
  const [row] = await db.query<{ delta_id: string | null }>({
    text: 'select min(delta_id) as delta_id from balance_deltas',
  })
  const madeAt = row?.delta_id ? timeOf(row.delta_id) : undefined
  return madeAt && Math.max(0, (clock.now().getTime() - madeAt.getTime()) / 1000)
}
