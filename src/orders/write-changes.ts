// The one way in which orders change: planned changes of orders that this transaction has locked, or that were accepted a
// moment ago, are written with all that follows from them.
//
// Lock order: orders by (mer_no, trade_no), then usage rows.

import { bookingOf } from '../ledger/post-entries.ts'
import { outboxOf } from '../notifications/enqueue-notifications.ts'
import type { Notification } from '../notifications/notification.ts'
import type { Statement, Tx } from '../postgres/db.ts'
import {
  changesState,
  checkChange,
  countedOf,
  duesAfter,
  entriesOf,
  givesBackLimits,
  notificationOf,
  type PlannedChange,
  stepsOf,
  takesLimits,
} from './change.ts'
import { totalsOf } from './daily-totals.ts'
import { insertDues } from './dues.ts'
import { giveBack, takeUnbounded, usageOf } from './limit-usage.ts'
import { insertAttempts, insertEvents, isBegun, isTried, updateAttempts, updateOrders } from './sql.ts'

/** One change an order at most. */
export async function changeOrders(tx: Tx, changes: readonly PlannedChange[]): Promise<void> {
  await Promise.all(statementsOf(changes).map((statement) => tx.query(statement)))
}

/** None of these needs another's answer; the database runs them in this order. */
export function statementsOf(changes: readonly PlannedChange[]): Statement[] {
  if (changes.length === 0) return []
  for (const change of changes) checkChange(change)
  return [
    updateOrders(changes),
    ...unlessNone(changes.filter(isTried), updateAttempts),
    ...unlessNone(changes.filter(isBegun), insertAttempts),
    ...unlessNone(changes.filter(changesState), insertEvents),
    ...unlessNone(changes.flatMap(duesAfter), insertDues),
    ...unlessNone(changes.filter(givesBackLimits), (some) => giveBack(usageOf(some.map(countedOf)))),
    ...unlessNone(changes.filter(takesLimits), (some) => takeUnbounded(usageOf(some.map(countedOf)))),
    ...bookingOf(changes.flatMap(entriesOf)),
    ...totalsOf(changes.flatMap(stepsOf)),
    ...outboxOf(changes.map(notificationOf).filter(isThere)),
  ]
}

function unlessNone<One>(all: readonly One[], make: (all: readonly One[]) => Statement): Statement[] {
  return all.length === 0 ? [] : [make(all)]
}

function isThere(notification: Notification | undefined): notification is Notification {
  return notification !== undefined
}
