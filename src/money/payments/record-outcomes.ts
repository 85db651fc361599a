// Records the outcomes that channels report, many in one transaction: each becomes a planned change of its order.
//
// Invariant: an attempt is decided once. The order is locked, the rule decides from its state, and the change fails if order
// or attempt have changed since. An order that this process has just accepted is nearly always unchanged, so the rule decides
// without reading it. Only if that change fails is the order locked and read.
// Lock order: orders by (mer_no, trade_no), then usage rows, then suspense.

import type { Outcome } from '../channels/contract.ts'
import { assert } from '../errors/catalogue.ts'
import { wantReviewNotifications } from '../merchants/want-review-notifications.ts'
import { type HandOver, openOutbox } from '../notifications/hand-over.ts'
import { nextAskMs, nextQuestionMs } from '../orders/ask-again.ts'
import type { PlannedChange } from '../orders/change.ts'
import { chargesNow } from '../orders/fees.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import {
  type AttemptedOrder,
  type AttemptKey,
  compareKeys,
  isAttempted,
  isDecided,
  payerExpiry,
  State,
} from '../orders/order.ts'
import { changeOrders, statementsOf } from '../orders/write-changes.ts'
import { type Db, isConnectionError, isPreconditionFailed, type Tx } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { type Decision, decide, mayPass } from './decide-outcome.ts'
import { depositsOf, receivedFieldsOf } from './deposits/deposit.ts'
import { type Doubt, type Reported, storeDeposits, sumOf, useDeposits } from './deposits/store-deposits.ts'

export type OutcomeReport = AttemptKey & {
  readonly outcome: Outcome
  readonly at: Date
  /** Until when a pending attempt waits for its payer. */
  readonly awaitsPayerMinutes: number
  /** The channel is asked about a pending attempt meanwhile. */
  readonly asksWaiting?: boolean | undefined
  /** The payer cancelled this attempt to pay by another method: its failure leaves the order open. */
  readonly keepsOrder?: true | undefined
  /** The channel was asked to cancel for good: if it did not say what came of it, it is asked again in a while. */
  readonly cancels?: true | undefined
  /** The order as it was accepted, if this is its first report: then it need not be read. */
  readonly accepted?: AttemptedOrder | undefined
  /** Where the order goes on, if this channel fails itself or the issuer wants a challenge. */
  readonly next?: { readonly channel: string; readonly askAt: Date } | undefined
}

/** The order's state after the report. */
export type Recorded = Decision & {
  readonly order: AttemptedOrder
  readonly changed: boolean
  /** The next attempt, which must be called now. */
  readonly nextAttemptNo: number | undefined
  /** About the reported money, independent of the decision. */
  readonly doubts: readonly Doubt[]
}

export type RecordDeps = {
  readonly db: Db
  readonly rates: Pick<Rates, 'find'>
  /** The worker of this process, if it has one. */
  readonly delivery?: HandOver | undefined
}

/**
 * At most one report per order. One transaction: if it fails, nothing is written, so a repetition has the same results,
 * including the attempt at the next channel.
 */
export async function recordOutcomes(
  deps: RecordDeps,
  reports: readonly OutcomeReport[],
): Promise<Recorded[]> {
  const results: Results = new Map()
  if (reports.every(isKnown)) await recordKnown(deps, reports, results)
  else await recordLocked(deps, reports, results)
  return inOrder(reports, results)
}

/** The same in the caller's transaction, for a decision that writes more with it. */
export async function recordOutcomesIn(
  tx: Tx,
  deps: Pick<RecordDeps, 'rates'>,
  reports: readonly OutcomeReport[],
): Promise<Recorded[]> {
  const results: Results = new Map()
  await recordIn(tx, deps, reports, results)
  return inOrder(reports, results)
}

function inOrder(reports: readonly OutcomeReport[], results: Results): Recorded[] {
  return reports.map((report) => {
    const recorded = results.get(report)
    assert(recorded !== undefined, 'every report is recorded')
    return recorded
  })
}

type Results = Map<OutcomeReport, Recorded>

type KnownReport = OutcomeReport & { readonly accepted: AttemptedOrder }

/** Deposits and reviews need more data than the order has. */
function isKnown(report: OutcomeReport): report is KnownReport {
  const { accepted, attemptNo, outcome } = report
  return !hasDeposits(outcome) && accepted?.attempt.no === attemptNo && !accepted.needsReview
}

function hasDeposits(outcome: Outcome): boolean {
  return outcome.kind === 'received' || (outcome.kind === 'failed' && outcome.deposits !== undefined)
}

async function recordKnown(
  deps: RecordDeps,
  reports: readonly KnownReport[],
  results: Results,
): Promise<void> {
  const changes: PlannedChange[] = []
  for (const report of reports)
    judge(deps, { report, order: report.accepted, arrived: 0n, doubts: [] }, results, changes)
  // Nobody has locked these orders: the update locks them one by one, as they come.
  changes.sort((one, other) => compareKeys(one.order, other.order))
  const outbox = openOutbox(deps.delivery)
  try {
    await deps.db.atOnce(statementsOf(changes, outbox.insert), { byKey: true })
  } catch (error) {
    if (isPreconditionFailed(error)) return recordLocked(deps, reports, results)
    if (isConnectionError(error)) outbox.uncertain()
    throw error
  }
  outbox.committed()
}

async function recordLocked(
  deps: RecordDeps,
  reports: readonly OutcomeReport[],
  results: Results,
): Promise<void> {
  await deps.db.transaction((tx) => recordIn(tx, deps, reports, results), { byKey: true })
  if (results.values().some((recorded) => recorded.changed)) deps.delivery?.poke()
}

async function recordIn(
  tx: Tx,
  deps: Pick<RecordDeps, 'rates'>,
  reports: readonly OutcomeReport[],
  results: Results,
): Promise<void> {
  const orders = await lockOrders(tx, reports)
  const changes: PlannedChange[] = []
  const reported: Reported[] = []
  for (const report of reports) {
    const { outcome, at } = report
    const order = orders.get(report.tradeNo)
    assert(order !== undefined && isAttempted(order), 'a reported order and attempt exist')
    const { waiting, doubts } = await storeDeposits(tx, order, outcome, at)
    const arrived = sumOf(waiting, order.money.currency)
    const decision = judge(deps, { report, order, arrived, doubts }, results, changes)
    reported.push({ order, outcome, waiting, decision, at })
  }
  await changeOrders(tx, await withReviewNotices(tx, changes))
  await useDeposits(tx, reported)
}

type Case = {
  readonly report: OutcomeReport
  readonly order: AttemptedOrder
  readonly arrived: bigint
  readonly doubts: readonly Doubt[]
}

/** Adds to the results and, if there is something to write, to the changes. */
function judge(
  { rates }: Pick<RecordDeps, 'rates'>,
  { report, order, arrived, doubts }: Case,
  results: Results,
  changes: PlannedChange[],
): Decision {
  const { keepsOrder, next } = report
  const also = { arrived, keepsOrder, isLate: isLate(order, report), hasNext: next !== undefined }
  const decision = decide(order, report.outcome, also)
  // An open attempt is written even if its state does not change, because the time of its next query does.
  const changed = decision.orderState !== order.state || !isDecided(order.attempt.state)
  const nextAttemptNo = changed && isPassed(report, decision, order) ? order.attempt.no + 1 : undefined
  results.set(report, recordedOf(decision, order, changed, nextAttemptNo, doubts))
  if (changed) changes.push(plan(order, decision, report, nextAttemptNo, rates))
  return decision
}

/** The payer's time for the attempt is over. */
function isLate({ attempt }: AttemptedOrder, { at, awaitsPayerMinutes }: OutcomeReport): boolean {
  return at >= payerExpiry(attempt.createdAt, awaitsPayerMinutes)
}

/** The order goes on in the next attempt. */
function isPassed({ next, outcome }: OutcomeReport, decision: Decision, order: AttemptedOrder): boolean {
  return (
    next !== undefined && outcome.kind === 'failed' && mayPass(outcome) && decision.orderState === order.state
  )
}

/** Lists each field: this runs thousands of times a second, and spreading an object takes several times as long. */
function recordedOf(
  decision: Decision,
  order: AttemptedOrder,
  changed: boolean,
  nextAttemptNo: number | undefined,
  doubts: readonly Doubt[],
): Recorded {
  const { attemptState, orderState, message, received, alarm } = decision
  return { attemptState, orderState, message, received, alarm, order, changed, nextAttemptNo, doubts }
}

function plan(
  order: AttemptedOrder,
  decision: Decision,
  report: OutcomeReport,
  nextAttemptNo: number | undefined,
  rates: RecordDeps['rates'],
): PlannedChange {
  const { outcome, at, next } = report
  const { orderState: state, message, received } = decision
  const isSuccess = state === State.succeeded && order.state !== state
  return {
    order,
    at,
    state,
    message,
    received,
    attempt: {
      state: decision.attemptState,
      channelRef: 'channelRef' in outcome ? outcome.channelRef : undefined,
      action: 'action' in outcome ? outcome.action : undefined,
      askAt: nextAsk(order, decision, report),
    },
    next: next && nextAttemptNo !== undefined ? { ...next, no: nextAttemptNo } : undefined,
    charges: isSuccess ? chargesNow(order.money, order.terms, rates) : undefined,
    receivedFields: hasDeposits(outcome)
      ? receivedFieldsOf(order, depositsOf(outcome).at(-1), received)
      : undefined,
  }
}

function nextAsk(
  order: AttemptedOrder,
  decision: Decision,
  { at, awaitsPayerMinutes, asksWaiting, cancels, outcome }: OutcomeReport,
): Date | undefined {
  const { createdAt, asks } = order.attempt
  if (isDecided(decision.attemptState)) return undefined
  const ageMs = at.getTime() - createdAt.getTime()
  const inAWhile = new Date(at.getTime() + nextAskMs(asks, ageMs))
  if (decision.attemptState !== 'pending' || (cancels && outcome.kind === 'unknown')) return inAWhile
  const expiry = payerExpiry(createdAt, awaitsPayerMinutes)
  const question = new Date(createdAt.getTime() + nextQuestionMs(ageMs))
  if (asksWaiting && question < expiry) return question
  return expiry > inAWhile ? expiry : inAWhile
}

/** Only some merchants want a notification when information is needed. */
async function withReviewNotices(
  tx: Tx,
  changes: readonly PlannedChange[],
): Promise<readonly PlannedChange[]> {
  const isAsked = ({ order, state }: PlannedChange) =>
    state === State.informationAsked && order.state !== state
  const merNos = changes.filter(isAsked).map(({ order }) => order.merNo)
  if (merNos.length === 0) return changes
  const wants = await wantReviewNotifications(tx, merNos)
  return changes.map((change) => ({ ...change, notifiesReview: wants.has(change.order.merNo) }))
}
