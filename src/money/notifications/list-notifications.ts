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
  selectRetryingCount,
} from './list-sql.ts'
import { LIST_LIMIT, type ListedNotification, type NotificationFilter } from './notification.ts'

export function listNotifications(
  db: Queryable,
  filter: NotificationFilter,
  limit = LIST_LIMIT,
): Promise<ListedNotification[]> {
  const { tradeNo } = filter
  const merNo = filter.merNo ?? (tradeNo === undefined ? undefined : (merNoOf(tradeNo) ?? -1))
  return selectNotifications(db, { ...filter, merNo }, limit)
}

export const findNotification = selectNotification
export const listAttempts = selectAttempts

export const countFailed = selectFailedCount
export const countRetrying = selectRetryingCount

/** Returns the merchant's notifications with ids greater than the given id, by ascending id. */
export const listAfter = selectAfter

/** Returns the notifications of one order so far, in the order of its events. */
export const listOfOrder = selectOfOrder
