// Records outcomes of refunds and decisions of operators, many in one transaction. For each decided refund, the
// transaction writes the refund, the order, a history row of each, the ledger entries and the outbox row.
//
// Invariant: a refund is decided once. Success books the money out to the channel. Failure gives back exactly the sum
// that was taken, to the account that holds the order's money at that time. If the money of a successful refund comes
// back, the amount that arrived is given back once, and a surplus goes to suspense. A returned refund has the entries
// of both the success and the return, whichever is reported first.
//
// Lock order: orders by (mer_no, trade_no), refunds by (mer_no, refund_no), suspense.

import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../platform/errors/catalogue.ts'
import { type Batcher, type BatchOptions, createBatcher, onePerKey } from '../../platform/postgres/batch.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { RefundOutcome } from '../../rails/contract/channel.ts'
import { channelAccount, REFUNDS_IN_FLIGHT } from '../ledger/account.ts'
import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import type { Notification } from '../notifications/notification.ts'
import { unlessOvertaken } from '../orders/call-lease.ts'
import { type PlannedChange, planMove } from '../orders/change.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import type { PaidOrder } from '../orders/order.ts'
import { type Moved, type Position, returnRefund, takeBackRefund } from '../orders/position.ts'
import { changeOrders } from '../orders/write-changes.ts'
import { bookSuspense, findReported, type NewSuspense } from '../suspense/book-suspense.ts'
import { MAX_BATCH } from './accept-refunds.ts'
import {
  decideRefund,
  isDecided,
  mayFollow,
  nextCallMs,
  type Refund,
  type RefundDecision,
  type RefundState,
  refundReference,
  refundSums,
  steps,
} from './refund.ts'
import { lockRefunds, type RefundChange, writeRefunds } from './sql.ts'

export type RefundReport = {
  readonly merNo: number
  readonly refundNo: string
  readonly tradeNo: string
  readonly outcome: RefundOutcome
  /**
   * The state that the refund must have. In any other state, the report changes nothing. Undefined if the state does
   * not matter.
   */
  readonly ifState?: RefundState
  /**
   * The number of the claim that made the call. If there was a later claim, the report does not change the time of the
   * next call, because another worker may hold the lease.
   */
  readonly asks?: number
  readonly at: Date
}

/** The decision on a report. `refund` is the refund before the report. */
export type RecordedRefund = RefundDecision & { readonly refund: Refund }

export type RecordBatch = Batcher<RefundReport, RecordedRefund>

export type RecordDeps = {
  readonly refundBatches: { readonly record: RecordBatch }
  readonly alarm: (tradeNo: string, what: string) => void
}

/** Puts one report into the next batch. After the commit, raises an alarm if an operator must check something. */
export async function recordRefund(
  { refundBatches, alarm }: RecordDeps,
  report: RefundReport,
): Promise<RecordedRefund> {
  const recorded = await refundBatches.record.submit(report)
  if (recorded.alarm !== undefined) alarm(report.tradeNo, recorded.alarm)
  return recorded
}

/** Opens the batcher of reports. A batch contains at most one report on a refund. */
export function openRecordBatch(
  db: Db,
  options: Pick<BatchOptions<RefundReport, RecordedRefund>, 'observe'>,
): RecordBatch {
  const batch = createBatcher({
    maxBatch: MAX_BATCH,
    // An outcome has already happened, so its report is never refused. The worker limits the length of the queue by
    // limiting its concurrent calls.
    maxQueue: Number.POSITIVE_INFINITY,
    ...options,
    flush: (reports: readonly RefundReport[]) => recordRefunds(db, reports),
  })
  return onePerKey(batch, { keyOf: ({ refundNo }) => refundNo, isSame: isSameReport })
}

function isSameReport(one: RefundReport, other: RefundReport): boolean {
  const isAlike = one.ifState === other.ifState && one.asks === other.asks
  return isAlike && isDeepStrictEqual(one.outcome, other.outcome)
}

/** Records the reports in one transaction. The list has at most one report per refund. */
export function recordRefunds(db: Db, reports: readonly RefundReport[]): Promise<RecordedRefund[]> {
  return db.transaction((tx) => recordRefundsIn(tx, reports))
}

/** Records the reports in the caller's transaction, for callers that write other rows in the same transaction. */
export async function recordRefundsIn(tx: Tx, reports: readonly RefundReport[]): Promise<RecordedRefund[]> {
  const byOrder = new Map(reports.map((report) => [report.tradeNo, report]))
  const orders = await lockPaidOrders(tx, [...byOrder.values()])
  const refunds = await lockRefunds(tx, reports)
  const changes: RefundChange[] = []
  const recorded: RecordedRefund[] = []
  for (const report of reports) {
    const locked = refunds.get(report.refundNo)
    assert(locked !== undefined, 'a reported refund exists')
    const refund = await withHeld(tx, locked)
    const { decision, change } = decide(refund, report)
    if (change !== undefined) changes.push(change)
    recorded.push({ ...decision, refund })
  }
  if (changes.length > 0) await write(tx, orders, changes)
  return recorded
}

/** Adds to a returned refund the money that went to suspense when the refund came back. */
async function withHeld(tx: Tx, refund: Refund): Promise<Refund> {
  const { state, merNo, refundNo, payment } = refund
  if (state !== 'returned') return refund
  const key = { merNo, reference: refundReference(refundNo) }
  return { ...refund, returnedHeld: await findReported(tx, payment.channel, key) }
}

function decide(
  refund: Refund,
  report: RefundReport,
): { readonly decision: RefundDecision; readonly change?: RefundChange } {
  const counts = report.ifState === undefined || report.ifState === refund.state
  if (!counts) return { decision: { state: refund.state, message: refund.message } }
  const decision = decideRefund(refund, unlessOvertaken(report.outcome, report.asks, refund.asks))
  const isAsked = !isDecided(refund.state) && refund.state !== 'waiting'
  const changes = isAsked || decision.state !== refund.state
  return changes ? { decision, change: plan(refund, decision, report) } : { decision }
}

/**
 * Plans the change of a refund. A refund that waits for its channel is written even if its state stays the same,
 * because the time of the next call may change.
 */
function plan(refund: Refund, decision: RefundDecision, { outcome, asks, at }: RefundReport): RefundChange {
  const { state, message, cameBack } = decision
  assert(
    state === refund.state || mayFollow(refund.state, state),
    `a refund may go ${refund.state} → ${state}`,
  )
  const decided = isDecided(state)
  const channelRef = 'channelRef' in outcome ? outcome.channelRef : undefined
  const keepsAskAt = decided || asks !== refund.asks
  const askAt = keepsAskAt ? undefined : new Date(at.getTime() + nextCallMs(refund.asks))
  return { refund, state, message, channelRef, cameBack, askAt, decided, at }
}

async function write(
  tx: Tx,
  orders: ReadonlyMap<string, PaidOrder>,
  changes: readonly RefundChange[],
): Promise<void> {
  const written = await writeRefunds(tx, changes)
  assert(written === changes.length, 'no locked refund changes under us')
  const decided = changes.filter((change) => change.decided)
  const byOrder = Map.groupBy(decided, ({ refund }) => refund.tradeNo)
  const orderChanges = [...byOrder].map(([tradeNo, own]) => {
    const order = orders.get(tradeNo)
    assert(order !== undefined, 'a refunded order was paid')
    return toOrderChange(order, own)
  })
  await changeOrders(tx, orderChanges)
  await bookSuspense(tx, decided.flatMap(heldOf))
  await enqueueNotifications(tx, decided.map(toNotification))
}

function toOrderChange(order: PaidOrder, changes: readonly RefundChange[]): PlannedChange {
  let moved: Moved = { position: order.paid.position, transfers: [] }
  for (const change of changes) {
    for (const step of stepsTo(change)) {
      const next = step(moved.position, order, change)
      moved = { position: next.position, transfers: [...moved.transfers, ...next.transfers] }
    }
  }
  const why = changes.map(({ refund, state, message }) => `Refund ${refund.refundNo} ${state}: ${message}`)
  const at = changes[0]?.at
  assert(at !== undefined, 'an order changes by its refunds')
  return planMove({
    order,
    moved,
    refundsOpen: order.paid.refundsOpen - changes.filter(({ refund }) => !isDecided(refund.state)).length,
    why: why.join('; '),
    at,
  })
}

type MoneyStep = (position: Position, order: PaidOrder, change: RefundChange) => Moved

function stepsTo({ refund, state }: RefundChange): readonly MoneyStep[] {
  if (state === 'succeeded') return [paidOut]
  if (state === 'failed') return [givenBack]
  return refund.state === 'succeeded' ? [cameBack] : [paidOut, cameBack]
}

/** Books the refund out: the channel deducts the refund from its debt to us. The order's position does not change. */
const paidOut: MoneyStep = (position, { attempt: { channel } }, { refund }) => {
  const step = steps.paidOut(refund.refundNo)
  const transfer = { step, debit: REFUNDS_IN_FLIGHT, credit: channelAccount(channel), money: refund.money }
  return { position, transfers: [transfer] }
}

const givenBack: MoneyStep = (position, _order, { refund }) =>
  returnRefund(position, refund.money.amount, refund.fee, steps.failed(refund.refundNo))

const cameBack: MoneyStep = (position, { attempt: { channel } }, { refund, cameBack: back }) => {
  const { amount } = refund.money
  const cost = amount - (back?.credited ?? amount)
  const { refundNo } = refund
  return takeBackRefund(
    position,
    { amount, cost, channel: channelAccount(channel) },
    { back: steps.cameBack(refundNo), cost: steps.returnCost(refundNo), kept: steps.returnKept(refundNo) },
  )
}

/**
 * Returns the suspense row for money that came back and was not credited. The row has no attempt, because the money is
 * not the payer's payment. The reference of the row names the refund.
 */
function heldOf({ refund, cameBack: back, at }: RefundChange): NewSuspense[] {
  const { merNo, refundNo, money, payment } = refund
  if (back?.held === undefined) return []
  const why = back.held.currency === money.currency ? 'surplus' : 'unmatched'
  const reference = refundReference(refundNo)
  return [{ merNo, channel: payment.channel, reference, origin: 'channel', money: back.held, why, at }]
}

function toNotification({ refund, state, message, at }: RefundChange): Notification {
  const { merNo, tradeNo, merOrderNo, refundNo, notifyUrl: url } = refund
  const result = state === 'succeeded' ? 0 : 1
  const fields = { tradeNo, merOrderNo, refundNo, state: result, message, ...refundSums(refund) }
  return { merNo, tradeNo, event: 'refund', url, fields, at }
}
