// The last step of a payment: the outcome that a channel reported becomes a change of the order. Outcomes that wait at
// the same moment share one batch and one transaction.
//
// Invariant: an attempt is decided once. The order is locked and read, `decide` derives the change from the order's
// state, and the change fails if the order or the attempt has changed since it was read. An order that this process has
// just accepted has rarely changed, so its first outcome is decided without a lock or a read. If the order has changed
// nevertheless, the change fails, and then the order is locked and read.
//
// Lock order: orders by (mer_no, trade_no), then usage rows, then suspense.

import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../platform/base/clock.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import { type Batcher, type BatchOptions, createBatcher, onePerKey } from '../../platform/postgres/batch.ts'
import { type Db, isPreconditionFailed, type Tx } from '../../platform/postgres/db.ts'
import { isConnectionError } from '../../platform/postgres/outages.ts'
import type { Channel, Outcome } from '../../rails/contract/channel.ts'
import type { Alarms } from '../../rails/toolkit/alarms.ts'
import { wantReviewNotifications } from '../merchants/list-merchants.ts'
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
import type { Rates } from '../rates/rates.ts'
import { BATCH } from './accept-payments.ts'
import { type Decision, decide, mayPass } from './decide-outcome.ts'
import { depositsOf, receivedFieldsOf } from './deposits/deposit.ts'
import { type Doubt, type Reported, storeDeposits, sumOf, useDeposits } from './deposits/store-deposits.ts'
import type { ForbidCard } from './forbid-card.ts'

export type OutcomeReport = AttemptKey & {
  readonly outcome: Outcome
  readonly at: Date
  /** The time that an attempt waits for its payer, counted from the attempt's creation. */
  readonly awaitsPayerMinutes: number
  /** True if the channel can be asked about a pending attempt while the payer may still act. */
  readonly asksWaiting?: boolean | undefined
  /** Set if a cancelled attempt leaves the order open, for example because the payer wants another method. */
  readonly keepsOrder?: true | undefined
  /** Set after a call that cancels the attempt with its order. If the outcome is unknown, the resolver retries. */
  readonly cancels?: true | undefined
  /** The order as it was accepted. Set only in the report on the order's first attempt: see `isKnown`. */
  readonly accepted?: AttemptedOrder | undefined
  /** The channel of the next attempt. The next attempt begins only if `mayPass` is true for the outcome. */
  readonly next?: { readonly channel: string; readonly askAt: Date } | undefined
}

/** The decision on a report, with the order as it was before the report was recorded. */
export type Recorded = Decision & {
  readonly order: AttemptedOrder
  readonly changed: boolean
  /** The number of the next attempt, whose channel must be called now. Undefined if there is no next attempt. */
  readonly nextAttemptNo: number | undefined
  /** Problems with the reported deposits that an operator must check, whatever the decision is. */
  readonly doubts: readonly Doubt[]
}

export type RecordingDeps = {
  readonly recordBatch: RecordBatch
  readonly clock: Clock
  readonly alarm: (tradeNo: string, what: string) => void
  /** The alarms of a channel, for problems that the channel may report again and again. */
  readonly alarmsOf: (channel: string) => Alarms
  /** Blocks the attempt's card, if the card network forbids to try this card again. */
  readonly forbidCard: ForbidCard
}

/** Puts one outcome into the next batch. After the commit, alarms are raised and a forbidden card is blocked. */
export async function recordOutcome(
  deps: RecordingDeps,
  channel: Channel,
  attempt: AttemptKey,
  outcome: Outcome,
  also: Pick<OutcomeReport, 'keepsOrder' | 'cancels' | 'next' | 'accepted'> = {},
): Promise<Recorded> {
  const { merNo, tradeNo, attemptNo } = attempt
  const recorded = await deps.recordBatch.submit({
    merNo,
    tradeNo,
    attemptNo,
    outcome,
    at: deps.clock.now(),
    awaitsPayerMinutes: channel.traits.awaitsPayerMinutes,
    asksWaiting: channel.askWaiting !== undefined,
    keepsOrder: also.keepsOrder,
    cancels: also.cancels,
    next: also.next,
    accepted: also.accepted,
  })
  if (recorded.alarm !== undefined) deps.alarm(tradeNo, recorded.alarm)
  for (const { key, what } of recorded.doubts)
    await deps.alarmsOf(channel.name).raise(key, { reference: tradeNo, what })
  if (forbidsCard(outcome, recorded)) await deps.forbidCard(attempt)
  return recorded
}

function forbidsCard(outcome: Outcome, { changed }: Recorded): boolean {
  return changed && outcome.kind === 'failed' && outcome.advice === 'never'
}

type RecordBatch = Batcher<OutcomeReport, Recorded>

/**
 * Opens the batcher of reports. A batch contains at most one report on an order. If an equal report on the same order
 * already waits, both reports share its result.
 */
export function openRecordBatch(
  deps: RecordDeps,
  options: Pick<BatchOptions<OutcomeReport, Recorded>, 'observe'> = {},
): RecordBatch {
  const batch = createBatcher<OutcomeReport, Recorded>({
    ...BATCH,
    ...options,
    // An outcome has already happened, so its report is never refused. The gate before acceptance limits how many
    // reports can wait.
    maxQueue: Number.POSITIVE_INFINITY,
    flush: (reports) => recordOutcomes(deps, reports),
  })
  return onePerKey(batch, { keyOf: (report) => report.tradeNo, isSame: isSameReport })
}

/**
 * True if two reports may share a result. Reports with `next` may not share a result, because each caller would call
 * the next channel.
 */
function isSameReport(one: OutcomeReport, other: OutcomeReport): boolean {
  return (
    one.attemptNo === other.attemptNo &&
    one.keepsOrder === other.keepsOrder &&
    one.cancels === other.cancels &&
    one.next === undefined &&
    other.next === undefined &&
    isDeepStrictEqual(one.outcome, other.outcome)
  )
}

export type RecordDeps = {
  readonly db: Db
  readonly rates: Pick<Rates, 'find'>
  /** The delivery worker of this process, if it has one. */
  readonly delivery?: HandOver | undefined
}

/**
 * Records the reports of a batch, at most one per order, in one transaction. A failed transaction writes nothing, so a
 * retry has the same results, including the attempt at the next channel.
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

/** Records reports in the caller's transaction. See docs/decisions/0220-outcomes-decided-by-hand.md. */
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

/**
 * True if the outcome can be decided with the accepted order that the report contains. Otherwise the order is read from
 * the database: deposits and reviews need data that the accepted order does not contain.
 */
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
  // The update locks the orders in the sequence of this list, which must be the lock order.
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

/** Decides one report. Adds the result to `results` and, if there is something to write, the change to `changes`. */
function judge(
  { rates }: Pick<RecordDeps, 'rates'>,
  { report, order, arrived, doubts }: Case,
  results: Results,
  changes: PlannedChange[],
): Decision {
  const { keepsOrder, next } = report
  const also = { arrived, keepsOrder, isLate: isLate(order, report), hasNext: next !== undefined }
  const decision = decide(order, report.outcome, also)
  // An open attempt is written even if its state does not change, because the time of its next query changes.
  const changed = decision.orderState !== order.state || !isDecided(order.attempt.state)
  const nextAttemptNo = changed && isPassed(report, decision, order) ? order.attempt.no + 1 : undefined
  results.set(report, recordedOf(decision, order, changed, nextAttemptNo, doubts))
  if (changed) changes.push(plan(order, decision, report, nextAttemptNo, rates))
  return decision
}

function isLate({ attempt }: AttemptedOrder, { at, awaitsPayerMinutes }: OutcomeReport): boolean {
  return at >= payerExpiry(attempt.createdAt, awaitsPayerMinutes)
}

function isPassed({ next, outcome }: OutcomeReport, decision: Decision, order: AttemptedOrder): boolean {
  return (
    next !== undefined && outcome.kind === 'failed' && mayPass(outcome) && decision.orderState === order.state
  )
}

// This function runs thousands of times a second. To list each field is several times as fast as to spread an object.
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

/** Marks the changes of merchants that want a notification when a review needs information. */
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
