// Counts stop at a bound, and the lanes of paused merchants are skipped as a whole: a million waiting rows cost no more than
// the bound.
import type { Db } from '../postgres/db.ts'
import { lanesText } from './claim-sql.ts'

const MAX_COUNTED = 10_000

export type QueueCounts = {
  readonly overdue: number
  readonly oldest: Date | null
  readonly parked: number
  readonly pending: number
}

/** Overdue: due before that time and not under way. */
export async function countQueue(db: Db, dueBefore: Date): Promise<QueueCounts> {
  const [row] = await db.query<QueueCounts>({ text: measureText, values: [dueBefore] }, { byKey: true })
  return row ?? { overdue: 0, oldest: null, parked: 0, pending: 0 }
}

export type OverdueMerchant = { readonly merNo: bigint; readonly count: number; readonly oldest: Date }

/** By merchant, the one that waits longest first. */
export function selectOverdue(db: Db, dueBefore: Date, limit: number): Promise<OverdueMerchant[]> {
  return db.query<OverdueMerchant>({ text: overdueText, values: [dueBefore, limit] }, { byKey: true })
}

const isLate = 'due_at <= $1 and leased_until is null'
const isPaused = 'mer_no in (select mer_no from notification_pauses)'
const lateText = `${lanesText}, late as (
    (select mer_no, due_at from notifications where not parked and ${isLate} and not ${isPaused}
      order by due_at limit ${MAX_COUNTED})
    union all
    (select lane.mer_no, parked.due_at
      from (select mer_no from lanes where mer_no is not null and not ${isPaused}) as lane
      cross join lateral (
        select due_at from notifications where parked and mer_no = lane.mer_no and ${isLate}
        order by due_at limit ${MAX_COUNTED}
      ) as parked
      limit ${MAX_COUNTED})
  )`
export const measureText = `
  with recursive ${lateText}
  select (select count(*)::int from late) as overdue, (select min(due_at) from late) as oldest,
    (select count(*)::int from (select from notifications where parked limit ${MAX_COUNTED}) p) as parked,
    (select count(*)::int from (
      (select mer_no from notifications where due_at is not null and not parked limit ${MAX_COUNTED})
      union all
      (select mer_no from notifications_not_swept())
      limit ${MAX_COUNTED}) d) as pending`
const overdueText = `
  with recursive ${lateText}
  select mer_no as "merNo", count(*)::int as count, min(due_at) as oldest from late
  group by mer_no order by min(due_at) limit $2`
