// Owns notification_pauses. While a merchant is paused, attempts in progress continue to their end, and no new attempt
// starts. After the pause, overdue notifications are sent immediately. A pause does not count as an attempt.
import type { Db, Queryable, Statement } from '../../platform/postgres/db.ts'

/** Pauses the merchant. Returns false if the merchant was already paused. */
export function pauseMerchant(db: Db, merNo: number, now: Date): Promise<boolean> {
  return changes(db, {
    text: `insert into notification_pauses (mer_no, paused_at) values ($1, $2)
      on conflict (mer_no) do nothing returning mer_no`,
    values: [merNo, now],
  })
}

/** Ends the pause. Returns false if the merchant was not paused. */
export function resumeMerchant(db: Db, merNo: number): Promise<boolean> {
  return changes(db, {
    text: 'delete from notification_pauses where mer_no = $1 returning mer_no',
    values: [merNo],
  })
}

/** Runs the statement in a transaction. A `db` wrapped by `audited` adds the audit entry to this transaction. */
function changes(db: Db, statement: Statement): Promise<boolean> {
  return db.transaction(async (tx) => (await tx.query(statement)).length > 0)
}

export async function isPaused(db: Queryable, merNo: number): Promise<boolean> {
  const rows = await db.query({
    text: 'select mer_no from notification_pauses where mer_no = $1',
    values: [merNo],
  })
  return rows.length > 0
}
