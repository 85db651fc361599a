// Sending again what was sent before: the same id and the same body, in a new round of nine deliveries that begins at
// once. Attempts keep counting on, and one that was acknowledged stays acknowledged whatever the new round brings.

import { merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import type { NotificationEvent } from './notification.ts'

export type Resent = {
  readonly notificationId: string
  readonly event: NotificationEvent
  readonly url: string
}

/** Of an order or, with `notificationId`, that one alone. */
export type ResendWanted = { readonly tradeNo: string; readonly notificationId?: string }

export async function resendNotifications(db: Db, wanted: ResendWanted, now: Date): Promise<Resent[]> {
  const { tradeNo, notificationId } = wanted
  const merNo = merNoOf(tradeNo)
  const resent = await db.query<Resent>({
    text: `
      update notifications set due_at = $4, round_start = attempts, failed_at = null
      where mer_no = $1 and trade_no = $2 and ($3::text is null or notification_id = $3)
      returning notification_id as "notificationId", event, url`,
    values: [merNo ?? -1, tradeNo, notificationId ?? null, now],
  })
  if (resent.length === 0) {
    throw new OperatorRefusal(`there is no notification of ${notificationId ?? tradeNo} to send again`)
  }
  return resent
}

export type RecoverWanted = { readonly since: Date; readonly merNo?: number }

const RECOVER_BATCH = 5_000

/** All that were given up at that time or later; how many. They wait in their merchants' own lanes, out of others' way. */
export async function recoverFailed(db: Db, { since, merNo }: RecoverWanted, now: Date): Promise<number> {
  for (let recovered = 0; ; ) {
    const rows = await db.query<{ recovered: number }>({
      text: recoverText,
      values: [since, merNo ?? null, now],
    })
    const more = rows[0]?.recovered ?? 0
    recovered += more
    if (more < RECOVER_BATCH) return recovered
  }
}

// A worker may give up one of these again while this runs: only what failed before it began is taken.
const recoverText = `
  with failed as (
    select mer_no, notification_id from notifications
    where failed_at >= $1 and failed_at <= $3 and ($2::bigint is null or mer_no = $2)
    order by failed_at limit ${RECOVER_BATCH}
    for update
  ), again as (
    update notifications n set due_at = $3, round_start = n.attempts, failed_at = null, parked = true
    from failed where n.mer_no = failed.mer_no and n.notification_id = failed.notification_id
    returning 1
  )
  select count(*)::int as recovered from again`
