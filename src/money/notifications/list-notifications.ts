// Lists notifications by merchant, order or state, newest first, and lists all attempts of a notification.
import { merNoOf } from '../../platform/base/id.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import {
  selectAfter,
  selectAttempts,
  selectFailedCount,
  selectNotification,
  selectNotifications,
  selectOfOrder,
} from './list-sql.ts'
import type {
  ListedAttempt,
  ListedNotification,
  NewNotification,
  NotificationFilter,
  WholeNotification,
} from './notification.ts'
import type { FailedFilter } from './sql.ts'

export const LIST_LIMIT = 200

export function listNotifications(
  db: Queryable,
  filter: NotificationFilter,
  limit = LIST_LIMIT,
): Promise<ListedNotification[]> {
  const { tradeNo } = filter
  const merNo = filter.merNo ?? (tradeNo === undefined ? undefined : (merNoOf(tradeNo) ?? -1))
  return selectNotifications(db, { ...filter, merNo }, limit)
}

export function findNotification(
  db: Queryable,
  merNo: number,
  notificationId: string,
): Promise<WholeNotification | undefined> {
  return selectNotification(db, merNo, notificationId)
}

export function listAttempts(db: Queryable, merNo: number, notificationId: string): Promise<ListedAttempt[]> {
  return selectAttempts(db, merNo, notificationId, LIST_LIMIT)
}

/** Counts the notifications that failed for good since a time, up to the limit. */
export function countFailed(db: Queryable, wanted: FailedFilter, limit: number): Promise<number> {
  return selectFailedCount(db, wanted, limit)
}

/** Returns the merchant's notifications with greater ids, in order of id. */
export function listAfter(db: Queryable, merNo: number, id: string): Promise<NewNotification[]> {
  return selectAfter(db, merNo, id, LIST_LIMIT)
}

/** Returns the notifications of one order so far, in the order of its events. */
export function listOfOrder(db: Queryable, merNo: number, tradeNo: string): Promise<NewNotification[]> {
  return selectOfOrder(db, merNo, tradeNo, LIST_LIMIT)
}
