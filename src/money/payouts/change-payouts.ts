// Records events of payouts, many in one transaction. An event that applies becomes a planned change of the order.
//
// Invariant: a payout is decided once, under the locks of the order and the payout, so the money is booked out or given
// back once. If the money of a successful payout comes back, the amount that arrived is given back once, and a surplus
// goes to suspense. A returned payout has the entries of both the success and the return, whichever is reported first.
//
// Lock order: orders by (mer_no, trade_no), payouts, usage rows, suspense.

import type { Clock } from '../../platform/base/clock.ts'
import { formatMoney } from '../../platform/base/money.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import { enqueueAlerts, type NewAlert } from '../../platform/mail/enqueue-mail.ts'
import { createBatcher, onePerKey } from '../../platform/postgres/batch.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { PlannedChange } from '../orders/change.ts'
import { feesOf } from '../orders/fees.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import type { OrderKey } from '../orders/order.ts'
import { changeOrders } from '../orders/write-changes.ts'
import { bookSuspense, findReported, type NewSuspense } from '../suspense/book-suspense.ts'
import { MAX_BATCH } from './accept-payouts.ts'
import { cameBackEntries, returnedEntries, sentEntries } from './money.ts'
import { type Decision, decide, mayFollow, type Payout, type PayoutEvent } from './payout.ts'
import { lockPayouts, type PayoutChange, updatePayouts } from './sql.ts'

export type PayoutReport = OrderKey & { readonly event: PayoutEvent; readonly at: Date }

/** The decision on a report. `payout` is the payout before the report. */
export type ChangedPayout = Decision & { readonly payout: Payout }

export type ChangeBatch = (report: PayoutReport) => Promise<ChangedPayout | undefined>

export type ChangeDeps = {
  readonly payoutBatches: { readonly record: ChangeBatch }
  readonly clock: Clock
  readonly alarm: (tradeNo: string, what: string) => void
}

/** Puts one event into the next batch. After the commit, an alarm is raised if an operator must check something. */
export async function changePayout(
  { payoutBatches, clock, alarm }: ChangeDeps,
  { merNo, tradeNo }: OrderKey,
  event: PayoutEvent,
): Promise<ChangedPayout> {
  const changed = await payoutBatches.record({ merNo, tradeNo, event, at: clock.now() })
  assert(changed !== undefined, 'a reported payout exists')
  if (changed.alarm !== undefined) alarm(tradeNo, changed.alarm)
  return changed
}

/** Opens the batcher. `changed` is called after every change, because a decided payout has a new notification. */
export function openChangeBatch(db: Db, changed: () => void): ChangeBatch {
  const batch = onePerKey(
    createBatcher({
      maxBatch: MAX_BATCH,
      // An event has already happened, so its report is never refused.
      maxQueue: Number.POSITIVE_INFINITY,
      flush: (reports: readonly PayoutReport[]) => changePayouts(db, reports),
    }),
    {
      keyOf: ({ tradeNo }) => tradeNo,
      // Equal events do not share a result, because only the caller whose event is applied may call the rail.
      isSame: () => false,
    },
  )
  return async (report) => {
    const recorded = await batch.submit(report)
    if (recorded?.applied) changed()
    return recorded
  }
}

/**
 * Records at most one report per payout, in one transaction. The result is undefined for a payout that does not exist.
 */
export function changePayouts(
  db: Db,
  reports: readonly PayoutReport[],
): Promise<(ChangedPayout | undefined)[]> {
  return db.transaction((tx) => changePayoutsIn(tx, reports))
}

/** Records the reports in the caller's transaction, for callers that write other rows in the same transaction. */
export async function changePayoutsIn(
  tx: Tx,
  reports: readonly PayoutReport[],
): Promise<(ChangedPayout | undefined)[]> {
  const byTrade = new Map<string, Payout>()
  for (const payout of await lockPayouts(tx, await lockOrders(tx, reports)))
    byTrade.set(payout.order.tradeNo, await withHeld(tx, payout))
  const changes = reports.map(({ tradeNo, event, at }): PayoutChange | undefined => {
    const payout = byTrade.get(tradeNo)
    return payout && { payout, event, decision: decide(payout, event, at), at }
  })
  const applied = changes.flatMap((change) => (change?.decision.applied === true ? [change] : []))
  if (applied.length > 0) await write(tx, applied)
  return changes.map((change) => change && { ...change.decision, payout: change.payout })
}

/** Adds to a returned payout the money that went to suspense when the payout came back. */
async function withHeld(tx: Tx, payout: Payout): Promise<Payout> {
  const { state, rail, reference, order } = payout
  if (state !== 'returned') return payout
  return { ...payout, returnedHeld: await findReported(tx, rail, { merNo: order.merNo, reference }) }
}

async function write(tx: Tx, changes: readonly PayoutChange[]): Promise<void> {
  for (const { payout, decision } of changes)
    assert(
      payout.state === decision.state || mayFollow(payout.state, decision.state),
      `a payout may go ${payout.state} → ${decision.state}`,
    )
  await updatePayouts(tx, changes)
  await changeOrders(tx, changes.map(toOrderChange))
  await bookSuspense(tx, changes.flatMap(heldOf))
  await enqueueAlerts(tx, changes.flatMap(alertOf))
}

/** Returns the alert about the result of a payout. The list is empty if this change has not decided the payout. */
function alertOf({ payout: { order }, decision: { state }, at: now }: PayoutChange): NewAlert[] {
  if (state !== 'succeeded' && state !== 'failed' && state !== 'returned') return []
  const { merNo, merOrderNo, money } = order
  const result = state === 'returned' ? 'came back' : state
  return [
    {
      merNo,
      kind: 'payout-result',
      values: { orderNo: merOrderNo, amount: formatMoney(money), result },
      now,
    },
  ]
}

/** Returns the suspense row for money that came back and was not credited. The row names the payout's reference. */
function heldOf({ payout, decision, at }: PayoutChange): NewSuspense[] {
  const { held } = decision.cameBack ?? {}
  if (held === undefined) return []
  const { order, rail: channel, reference } = payout
  const why = held.currency === order.money.currency ? 'surplus' : 'unmatched'
  return [{ merNo: order.merNo, channel, reference, origin: 'channel', money: held, why, at }]
}

/** Plans the change of the order. Success books the money out. Failure gives the money back. */
function toOrderChange({ payout, decision, at }: PayoutChange): PlannedChange {
  const { order } = payout
  const { orderState: state, message } = decision
  if (state === order.state) return { order, at, state, message }
  const booked = { ...order, ...payout }
  if (decision.state === 'failed')
    return { order, at, state, message, transfers: returnedEntries(booked, at) }
  const sent = payout.state === 'succeeded' ? [] : sentEntries(booked, at)
  const { cameBack } = decision
  const back = cameBack ? cameBackEntries(booked, cameBack.credited ?? order.money.amount, at) : []
  const fees = feesOf(order.money.amount, order.terms)
  return { order, at, state, message, fees, transfers: [...sent, ...back] }
}
