// Stops the deliveries of one merchant. Attempts under way end; nothing new leaves until the pause is lifted, and then overdue
// notifications leave at once. A pause loses no attempt.
import type { Db } from '../postgres/db.ts'
import { deletePause, insertPause } from './sql.ts'

/** Whether it was not paused before. */
export function pauseMerchant(db: Db, merNo: number, now: Date): Promise<boolean> {
  return insertPause(db, merNo, now)
}

/** Whether it was paused. */
export function resumeMerchant(db: Db, merNo: number): Promise<boolean> {
  return deletePause(db, merNo)
}
