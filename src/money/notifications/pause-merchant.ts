// Pauses the deliveries to one merchant. Attempts under way continue to their end, and no new attempt starts during the
// pause. After the pause, overdue notifications are sent immediately. A pause uses up no attempt.
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { deletePause, insertPause, selectPause } from './sql.ts'

/** Returns false if the merchant was already paused. */
export function pauseMerchant(db: Db, merNo: number, now: Date): Promise<boolean> {
  return db.transaction((tx) => insertPause(tx, merNo, now))
}

/** Returns false if the merchant was not paused. */
export function resumeMerchant(db: Db, merNo: number): Promise<boolean> {
  return db.transaction((tx) => deletePause(tx, merNo))
}

export function isPaused(db: Queryable, merNo: number): Promise<boolean> {
  return selectPause(db, merNo)
}
