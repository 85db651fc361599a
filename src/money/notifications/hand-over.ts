// Notifications that are inserted with the lease of this process's own worker. It delivers them as soon as they are committed:
// nobody has to find and claim them. If the process dies in between, the lease ends, and the attempt counts as a dead worker's.
import { makeId } from '../base/id.ts'
import { demand, type Statement } from '../postgres/db.ts'
import { arrayOf, int8, itself } from '../postgres/lists.ts'
import type { Claimed } from './claim-sql.ts'
import { insertNotifications, type Leased } from './enqueue-notifications.ts'
import type { Notification } from './notification.ts'

/** What a worker would claim at the moment. */
export type Offer = {
  readonly leasedUntil: Date
  /** Merchants whose notifications wait for a claim. */
  readonly excluded: readonly number[]
}

export type HandOver = {
  /** Undefined while the worker has enough to do. */
  offer(): Offer | undefined
  /** Takes over what was committed with the offered lease. */
  deliver(claimed: readonly Claimed[]): void
  /** Gives up the lease of what may have been committed: anybody may claim it. */
  release(claimed: readonly Claimed[]): void
  /** Something may be due that was not handed over. */
  poke(): void
}

export type Outbox = {
  /** The statements that insert the notifications; none if there is nothing to insert. */
  insert(notifications: readonly Notification[]): Statement[]
  committed(): void
  /** The connection was lost, and nobody knows whether it was committed. */
  uncertain(): void
}

/** The outbox of one transaction. A pause that began since the worker last looked fails it: `isPreconditionFailed`. */
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
