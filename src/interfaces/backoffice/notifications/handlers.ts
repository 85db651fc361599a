import {
  countFailed,
  countRetrying,
  findNotification,
  listAttempts,
  listNotifications,
  listOfOrder,
} from '../../../money/notifications/list-notifications.ts'
import { eventRules, type ListedNotification } from '../../../money/notifications/notification.ts'
import { isPaused, pauseMerchant, resumeMerchant } from '../../../money/notifications/pause-merchant.ts'
import { askToResend, resendNotifications } from '../../../money/notifications/resend-notifications.ts'
import { actorOf, type Caller, isOperator, listedMerchant, merchantOf } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { idsFrom, merNoOf } from '../../../platform/base/id.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { lineAbout } from '../audit-lines.ts'
import { ownOnly } from '../merchant-of-call.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { notificationsApi } from './api.ts'

export type NotificationsDeps = {
  readonly db: Db
  readonly clock: Clock
  pokeDelivery(): void
}

const MOST_COUNTED = 100_000

export function createNotificationsHandlers(deps: NotificationsDeps): Handlers<typeof notificationsApi> {
  const { db, clock } = deps

  async function find(caller: Caller, notificationId: string) {
    const merNo = merNoOf(notificationId)
    const isSeen = merNo !== undefined && (isOperator(caller) || caller.merNo === merNo)
    const found = isSeen ? await findNotification(db, merNo, notificationId) : undefined
    if (found === undefined) throw new Problem('not-found', 'There is no such notification.')
    return found
  }

  function line(caller: Caller, merNo: number, action: string, subject: string) {
    return { merNo, at: clock.now(), actor: actorOf(caller), action, subject }
  }

  return {
    async 'GET /notifications'({ caller, query }) {
      const { state, event, tradeNo, from, until, after } = query
      const merNo = merchantOf(caller, query.merNo)
      const below = after ?? (until && idsFrom('N', new Date(until)))
      const filter = {
        merNo,
        state,
        event,
        tradeNo,
        from: from && idsFrom('N', new Date(from)),
        below,
      }
      const found = await listNotifications(db, filter, PAGE_ROWS + 1)
      const page = pageFrom(found.map(toRow), ({ notificationId }) => notificationId)
      return { ...page, paused: await isPaused(db, merNo) }
    },

    async 'GET /notifications/:notificationId'({ caller, params }) {
      const found = await find(caller, params.notificationId)
      const attempts = await listAttempts(db, found.merNo, found.notificationId)
      const { contentType, acknowledgedBy } = eventRules[found.event]
      return {
        ...toRow(found),
        contentType,
        acknowledgedBy: [...acknowledgedBy],
        body: found.body,
        deliveries: attempts.map((one) => ({
          ...one,
          startedAt: one.startedAt.toISOString(),
          finishedAt: iso(one.finishedAt),
        })),
      }
    },

    async 'POST /notifications/:notificationId/resend'({ caller, params }) {
      const { merNo, tradeNo, notificationId } = await find(caller, params.notificationId)
      const entry = line(caller, merNo, 'notification.resend', notificationId)
      await resendNotifications(audited(db, entry), { tradeNo, notificationId }, clock.now())
      deps.pokeDelivery()
      return {}
    },

    async 'POST /notifications/resend'({ caller, body }) {
      const tradeNos = [...new Set(body.tradeNos)]
      for (const tradeNo of tradeNos) ownOnly(caller, tradeNo)
      let orders = 0
      try {
        for (const tradeNo of tradeNos) {
          if ((await listOfOrder(db, ownOnly(caller, tradeNo), tradeNo)).length === 0) continue
          const entry = lineAbout(caller, clock, { id: tradeNo, action: 'notification.resend' })
          await resendNotifications(audited(db, entry), { tradeNo }, clock.now())
          orders++
        }
      } finally {
        deps.pokeDelivery()
      }
      return { orders, without: tradeNos.length - orders }
    },

    async 'POST /notifications/resend-failed'({ caller, query, body }) {
      const merNo = listedMerchant(caller, query.merNo)
      const wanted = { since: new Date(body.since), ...(merNo !== undefined && { merNo }) }
      const retrying = await countRetrying(db, wanted, MOST_COUNTED)
      const count = Math.min(retrying + (await countFailed(db, wanted, MOST_COUNTED)), MOST_COUNTED)
      if (body.dryRun || count === 0) return { count, retrying }
      const action = 'notification.resend-failed'
      const entry = {
        ...line(caller, merNo ?? PLATFORM, action, merNo === undefined ? 'notifications' : String(merNo)),
        after: { since: body.since, count, retrying },
        ...(body.reason !== undefined && { reason: body.reason }),
      }
      // A worker sends the notifications in batches, because there may be many thousands.
      await askToResend(audited(db, entry), wanted, clock.now())
      return { count, retrying }
    },

    async 'PUT /notifications/pause'({ caller, query, body: { paused, reason } }) {
      const merNo = merchantOf(caller, query.merNo)
      const action = paused ? 'notification.pause' : 'notification.resume'
      const to = audited(db, { ...line(caller, merNo, action, String(merNo)), reason })
      if (paused) await pauseMerchant(to, merNo, clock.now())
      else await resumeMerchant(to, merNo)
      deps.pokeDelivery()
      return { paused }
    },
  }
}

function toRow(one: ListedNotification) {
  const { notificationId, merNo, tradeNo, event, url, state, attempts, status, error } = one
  const { madeAt, dueAt, deliveredAt, failedAt } = one
  return {
    notificationId,
    merNo,
    tradeNo,
    event,
    url,
    state,
    attempts,
    status,
    error,
    madeAt: madeAt.toISOString(),
    dueAt: iso(dueAt),
    deliveredAt: iso(deliveredAt),
    failedAt: iso(failedAt),
  }
}

function iso(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}
