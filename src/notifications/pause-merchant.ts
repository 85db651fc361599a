// A merchant-wide stop of deliveries. Attempts under way end; nothing new leaves until it is lifted, and then what is
// overdue leaves at once. No attempt is lost by a pause.
import type { Db } from '../postgres/db.ts'

/** Whether it was not paused before. */
export async function pauseMerchant(db: Db, merNo: number, now: Date): Promise<boolean> {
  const rows = await db.query({
    text: `insert into notification_pauses (mer_no, paused_at) values ($1, $2)
      on conflict (mer_no) do nothing returning mer_no`,
    values: [merNo, now],
  })
  return rows.length > 0
}

/** Whether it was paused. */
export async function resumeMerchant(db: Db, merNo: number): Promise<boolean> {
  const rows = await db.query({
    text: 'delete from notification_pauses where mer_no = $1 returning mer_no',
    values: [merNo],
  })
  return rows.length > 0
}
