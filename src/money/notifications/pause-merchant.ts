// Stops the deliveries of one merchant. Attempts under way end; nothing new is sent until the pause is lifted, and then overdue
// notifications are sent immediately. A pause uses up no attempt.
import type { Db, Queryable } from '../postgres/db.ts'
import { deletePause, insertPause, selectPause } from './sql.ts'

/** Returns whether the merchant was not paused before. */
export function pauseMerchant(db: Db, merNo: number, now: Date): Promise<boolean> {
  return db.transaction((tx) => insertPause(tx, merNo, now))
}

/** Returns whether the merchant was paused. */
export function resumeMerchant(db: Db, merNo: number): Promise<boolean> {
  return db.transaction((tx) => deletePause(tx, merNo))
}

export function isPaused(db: Queryable, merNo: number): Promise<boolean> {
  return selectPause(db, merNo)
}
