// Walks along the queue, which cost what they find and not what waits: a million that are not due must not be felt.
import type { Db, Statement } from '../postgres/db.ts'

/**
 * Statements that walk along the queue. With figures from before the rows came, the planner would read the whole table
 * and sort it, for every claim anew: a queue is never as it was when it was last analyzed. So it is left one way only, and
 * may then keep its plan.
 */
export function alongTheIndex<Row extends Record<string, unknown>>(
  db: Db,
  statement: Statement,
): Promise<Row[]> {
  return db.transaction(async (tx) => {
    const [, rows] = await Promise.all([tx.query(planning), tx.query<Row>(statement)])
    return rows
  })
}

const planning = {
  name: 'notifications.planning',
  text: `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config(name, 'off', true)
    from unnest(array['enable_sort', 'enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin']) as name`,
}

/** Of a recursive query: the merchants that have parked ones, then none. It jumps from merchant to merchant. */
export const lanesText = `
  lanes as (
    (select mer_no from notifications where parked order by mer_no limit 1)
    union all
    select (select n.mer_no from notifications n where n.parked and n.mer_no > lanes.mer_no
      order by n.mer_no limit 1)
    from lanes where lanes.mer_no is not null
  )`
