// Hands new notifications over to this process's own worker. A notification is inserted with a lease of this worker.
// After the commit, the worker delivers the notification without a claim. If the process dies before the delivery, the
// lease ends, and the attempt is handled like an attempt of any dead worker. Only the first notification of an order is
// handed over.
import { makeId } from '../../platform/base/id.ts'
import { demand, type Statement } from '../../platform/postgres/db.ts'
import { arrayOf, int8, itself } from '../../platform/postgres/lists.ts'
import type { Claimed } from './claim-sql.ts'
import { insertNotifications, type Leased } from './enqueue-notifications.ts'
import type { Notification } from './notification.ts'

export type Offer = {
  readonly leasedUntil: Date
  /** The merchants whose notifications are not handed over and wait for a claim. */
  readonly excluded: readonly number[]
}

export type HandOver = {
  /** Returns the lease and excluded merchants for new notifications. Undefined while the worker takes none. */
  offer(): Offer | undefined
  deliver(claimed: readonly Claimed[]): void
  /** Ends the lease of notifications that may have been committed, so that any worker may claim them. */
  release(claimed: readonly Claimed[]): void
  /** Wakes the worker, because a notification that was not handed over may be due. */
  poke(): void
}

export type Outbox = {
  /** Returns the statements that insert the notifications. The list is empty if no notification has an address. */
  insert(notifications: readonly Notification[]): Statement[]
  committed(): void
  /** Called if the connection was lost, so that it is unknown whether the transaction was committed. */
  uncertain(): void
}

/**
 * Opens the outbox of one transaction. The transaction fails (`isPreconditionFailed`) if a merchant was paused after
 * the worker last read the list of paused merchants.
 */
export function openOutbox(worker: HandOver | undefined): Outbox {
  const handed: Claimed[] = []
  let waits = false

  return {
    insert(notifications) {
      const offer = worker?.offer()
      const rows: Leased[] = []
      for (const one of notifications) {
        if (one.url === '') continue
        const notificationId = makeId('N', one.merNo, one.at)
        const isHanded = offer !== undefined && one.isFirst === true && !offer.excluded.includes(one.merNo)
        rows.push({ one, notificationId, leasedUntil: isHanded ? offer.leasedUntil : undefined })
        if (isHanded) handed.push(claimedOf(one, notificationId))
        else waits = true
      }
      if (rows.length === 0) return []
      return handed.length === 0
        ? [insertNotifications(rows)]
        : [demandUnpaused(handed), insertNotifications(rows)]
    },
    committed() {
      if (handed.length > 0) worker?.deliver(handed)
      if (waits) worker?.poke()
    },
    uncertain() {
      if (handed.length > 0) worker?.release(handed)
    },
  }
}

function claimedOf({ merNo, event, url, fields, at }: Notification, notificationId: string): Claimed {
  const dueAtMs = at.getTime()
  return { merNo, notificationId, event, url, fields, body: null, attemptNo: 1, roundStart: 0, dueAtMs }
}

function demandUnpaused(handed: readonly Claimed[]): Statement {
  const merNos = [...new Set(handed.map((one) => one.merNo))]
  return {
    name: 'notifications.demand-unpaused',
    text: demandUnpausedText,
    values: [merchants.value(merNos)],
  }
}

const merchants = arrayOf(int8<number>(itself), 1)

const demandUnpausedText = `select ${demand(
  `not exists (select from notification_pauses where mer_no = any (${merchants.text}))`,
)}`
