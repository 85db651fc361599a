// Sends notifications again: the same id and the same body, in a new round of nine deliveries that starts immediately.
// Attempts keep counting, and an acknowledged notification stays acknowledged whatever the result of the new round.

import { merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import { deleteResend, insertResend, lockResend } from './resend-sql.ts'
import { type FailedFilter, type Resent, startRound, startRoundOfFailed } from './sql.ts'

/** Resends all notifications of an order or, with `notificationId`, only that one. */
export type ResendWanted = { readonly tradeNo: string; readonly notificationId?: string }

export async function resendNotifications(db: Db, wanted: ResendWanted, now: Date): Promise<Resent[]> {
  const { tradeNo, notificationId } = wanted
  const key = { merNo: merNoOf(tradeNo) ?? -1, tradeNo, notificationId }
  return db.transaction(async (tx) => {
    const resent = await startRound(tx, key, now)
    if (resent.length === 0)
      throw new OperatorRefusal(`there is no notification of ${notificationId ?? tradeNo} to send again`)
    return resent
  })
}

const RECOVER_BATCH = 5_000

/**
 * Resends all notifications that were given up at that time or later. Returns how many. They wait in their merchants' own
 * lanes and delay no others.
 */
export async function recoverFailed(db: Db, wanted: FailedFilter, now: Date): Promise<number> {
  for (let recovered = 0; ; ) {
    const more = await db.transaction((tx) => startRoundOfFailed(tx, wanted, now, RECOVER_BATCH))
    recovered += more
    if (more < RECOVER_BATCH) return recovered
  }
}

/** Leaves a long list to the worker, which goes on with it after a restart. */
export function askToResend(db: Db, wanted: FailedFilter, now: Date): Promise<void> {
  return db.transaction((tx) => insertResend(tx, { ...wanted, askedAt: now }))
}

/** One slice of the list that was asked for first. Returns how many; undefined if nothing was asked for. */
export function resendSlice(db: Db, limit = RECOVER_BATCH): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const wanted = await lockResend(tx)
    if (wanted === undefined) return undefined
    // Those that fail again afterwards are not part of what was asked for.
    const resent = await startRoundOfFailed(tx, wanted, wanted.askedAt, limit)
    if (resent < limit) await deleteResend(tx, wanted)
    return resent
  })
}
