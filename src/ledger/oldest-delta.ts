import type { Clock } from '../base/clock.ts'
import { timeOf } from '../base/id.ts'
import type { Queryable } from '../postgres/db.ts'

/** Seconds that the oldest booking waits to be folded into its balance; undefined when none waits. */
export async function oldestDelta(db: Queryable, clock: Clock): Promise<number | undefined> {
  const [row] = await db.query<{ delta_id: string | null }>({
    text: 'select min(delta_id) as delta_id from balance_deltas',
  })
  const madeAt = row?.delta_id ? timeOf(row.delta_id) : undefined
  return madeAt && Math.max(0, (clock.now().getTime() - madeAt.getTime()) / 1000)
}
