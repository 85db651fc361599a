// Records the outcomes of refunds and the decisions of operators, many in one transaction: the refund with its history row,
// the order with its own, the ledger entries, the outbox row.
//
// Invariant: a refund is decided once. Success books it out to the channel. Failure gives back exactly what was taken, to the
// account that has the order's money by then. A refund that came back after its success gives back its amount, once, and has
// the entries of both, whichever is reported first. Lock order: orders by (mer_no, trade_no), refunds by (mer_no, refund_no).

import type { RefundOutcome } from '../channels/contract.ts'
import { assert } from '../errors/catalogue.ts'
import { channelAccount, REFUNDS_IN_FLIGHT } from '../ledger/account.ts'
import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import type { Notification } from '../notifications/notification.ts'
import { unlessOvertaken } from '../orders/ask-again.ts'
import { type PlannedChange, planMove } from '../orders/change.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import type { PaidOrder } from '../orders/order.ts'
import { type Moved, type Position, returnRefund, takeBackRefund } from '../orders/position.ts'
import { changeOrders } from '../orders/write-changes.ts'
import type { Db, Tx } from '../postgres/db.ts'
import {
  decideRefund,
  isDecided,
  mayFollow,
  nextCallMs,
  type Refund,
  type RefundDecision,
  type RefundState,
  refundSums,
  steps,
} from './refund.ts'
import { lockRefunds, type RefundChange, writeRefunds } from './sql.ts'

export type RefundReport = {
  readonly merNo: number
  readonly refundNo: string
  readonly tradeNo: string
  readonly outcome: RefundOutcome
  /** Applies only to a refund in this state; otherwise nothing changes. */
  readonly ifState?: RefundState
  /** The claim that made the call. A report of anybody else does not move the time of the next call: somebody may have it. */
  readonly asks?: number
  readonly at: Date
}

/** The refund's state after the report; `refund` is the row before it. */
export type RecordedRefund = RefundDecision & { readonly refund: Refund }

/** One transaction. The list has one report per refund at most. */
export function recordRefunds(db: Db, reports: readonly RefundReport[]): Promise<RecordedRefund[]> {
  return db.transaction((tx) => recordRefundsIn(tx, reports))
}

/** The same in the caller's transaction, for a decision that writes more with it. */
export async function recordRefundsIn(tx: Tx, reports: readonly RefundReport[]): Promise<RecordedRefund[]> {
  const byOrder = new Map(reports.map((report) => [report.tradeNo, report]))
  const orders = await lockPaidOrders(tx, [...byOrder.values()])
  const refunds = await lockRefunds(tx, reports)
  const changes: RefundChange[] = []
  const recorded = reports.map((report) => {
    const refund = refunds.get(report.refundNo)
    assert(refund !== undefined, 'a reported refund exists')
    const { decision, change } = decide(refund, report)
    if (change !== undefined) changes.push(change)
    return { ...decision, refund }
  })
  if (changes.length > 0) await write(tx, orders, changes)
  return recorded
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

/** A refund that is with the channel is written even if its state does not change, because the time of its next call does. */
function plan(refund: Refund, decision: RefundDecision, { outcome, asks, at }: RefundReport): RefundChange {
  const { state, message } = decision
  assert(
    state === refund.state || mayFollow(refund.state, state),
    `a refund may go ${refund.state} → ${state}`,
  )
  const decided = isDecided(state)
  const channelRef = 'channelRef' in outcome ? outcome.channelRef : undefined
  const keepsAskAt = decided || asks !== refund.asks
  const askAt = keepsAskAt ? undefined : new Date(at.getTime() + nextCallMs(refund.asks))
  return { refund, state, message, channelRef, askAt, decided, at }
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

/** The channel deducts it from what it owes us. The order's position no longer changes. */
const paidOut: MoneyStep = (position, { attempt: { channel } }, { refund }) => {
  const step = steps.paidOut(refund.refundNo)
  const transfer = { step, debit: REFUNDS_IN_FLIGHT, credit: channelAccount(channel), money: refund.money }
  return { position, transfers: [transfer] }
}

const givenBack: MoneyStep = (position, _order, { refund }) =>
  returnRefund(position, refund.money.amount, refund.fee, steps.failed(refund.refundNo))

const cameBack: MoneyStep = (position, { attempt: { channel } }, { refund }) =>
  takeBackRefund(position, refund.money.amount, channelAccount(channel), steps.cameBack(refund.refundNo))

function toNotification({ refund, state, message, at }: RefundChange): Notification {
  const { merNo, tradeNo, merOrderNo, refundNo, notifyUrl: url } = refund
  const result = state === 'succeeded' ? 0 : 1
  const fields = { tradeNo, merOrderNo, refundNo, state: result, message, ...refundSums(refund) }
  return { merNo, tradeNo, event: 'refund', url, fields, at }
}
