// Sends notifications again, with the same id and fields, in a new round of nine deliveries that starts immediately.
// Attempt numbers continue. An acknowledged notification stays acknowledged, whatever the result of the new round.

import type { Logger } from 'pino'
import { merNoOf } from '../../platform/base/id.ts'
import { type Interval, type Repetition, repeat } from '../../platform/concurrency/repeat.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import {
  deleteResend,
  type FailedFilter,
  insertResend,
  lockResend,
  type Resent,
  startRound,
  startRoundOfFailed,
} from './sql.ts'

/** The notifications to resend: all notifications of an order or, with `notificationId`, only this one. */
type ResendWanted = { readonly tradeNo: string; readonly notificationId?: string }

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
 * Resends all notifications that have failed or wait for a retry, and whose last attempt failed at `since` or later.
 * Returns their number. The notifications are parked, so that other notifications need not wait behind them.
 */
export async function recoverFailed(db: Db, wanted: FailedFilter, now: Date): Promise<number> {
  for (let recovered = 0; ; ) {
    const more = await db.transaction((tx) => startRoundOfFailed(tx, wanted, now, RECOVER_BATCH))
    recovered += more.resent
    if (more.found < RECOVER_BATCH) return recovered
  }
}

/**
 * Stores a request to resend the notifications that have failed or wait for a retry. The worker resends them in slices,
 * and continues after a restart.
 */
export function askToResend(db: Db, wanted: FailedFilter, now: Date): Promise<void> {
  return db.transaction((tx) => insertResend(tx, { ...wanted, askedAt: now }))
}

/** Resends one slice of the oldest request. Returns the number of notifications, or undefined without a request. */
export function resendSlice(db: Db, limit = RECOVER_BATCH): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const wanted = await lockResend(tx)
    if (wanted === undefined) return undefined
    // Notifications that fail after the time of the request are not part of the request.
    const { found, resent } = await startRoundOfFailed(tx, wanted, wanted.askedAt, limit)
    if (found < limit) await deleteResend(tx, wanted)
    return resent
  })
}

// Each slice is one transaction, so if a worker dies, another worker continues the request.

type ResendDeps = Interval & {
  readonly db: Db
  readonly log: Logger
  pokeDelivery(): void
}

export function startResends({ db, log, pokeDelivery, everyMs }: ResendDeps): Repetition {
  const resending = repeat({
    everyMs,
    async work() {
      if ((await resendSlice(db)) === undefined) return
      pokeDelivery()
      resending.poke()
    },
    failed: (error) =>
      log.error({ err: error }, 'failed notifications could not be resent; it is tried again'),
  })
  return resending
}
