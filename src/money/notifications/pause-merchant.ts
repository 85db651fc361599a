// Owns notification_pauses. During a pause of a merchant, attempts under way continue to their end, and no new attempt
// starts. After the pause, overdue notifications are sent immediately. A pause uses up no attempt.
import type { Queryable } from '../../platform/postgres/db.ts'

/** Returns false if the merchant was already paused. */
export async function pauseMerchant(db: Queryable, merNo: number, now: Date): Promise<boolean> {
  const rows = await db.query({
    text: `insert into notification_pauses (mer_no, paused_at) values ($1, $2)
      on conflict (mer_no) do nothing returning mer_no`,
    values: [merNo, now],
  })
  return rows.length > 0
}

/** Returns false if the merchant was not paused. */
export async function resumeMerchant(db: Queryable, merNo: number): Promise<boolean> {
  const rows = await db.query({
    text: 'delete from notification_pauses where mer_no = $1 returning mer_no',
    values: [merNo],
  })
  return rows.length > 0
}

export async function isPaused(db: Queryable, merNo: number): Promise<boolean> {
  const rows = await db.query({
    text: 'select mer_no from notification_pauses where mer_no = $1',
    values: [merNo],
  })
  return rows.length > 0
}
