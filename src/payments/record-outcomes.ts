// Records what channels said about attempts, many in one transaction: the state change with its history row, the ledger
// entries, the outbox row, and the limits given back by what failed.
//
// Invariant: an attempt is decided once. The order row is locked, the rule decides on what it finds there, and the update
// fails unless version and attempt are what the rule saw. An order that this process accepted a moment ago is nearly always
// as it was: the rule then decides on what is at hand, and only if the update fails is the order read. Lock order: orders with their attempts by (mer_no, trade_no), then usage rows, then
// suspense.

import { assert } from '../errors/catalogue.ts'
import { wantReviewNotifications } from '../merchants/want-review-notifications.ts'
import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import { type Db, isPreconditionFailed, type Tx } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { keepDeposits, sumOf, type Told, useDeposits } from './deposits.ts'
import { lockOrders } from './lock-orders.ts'
import { type Decision, decide, type OpenOrder, State } from './payment.ts'
import { notificationOf } from './payment-notification.ts'
import { isChange, isLate, isPassed, type OutcomeReport, type PlannedChange, plan } from './plan-change.ts'
import { statementsOf } from './write-changes.ts'

/** How the order stands after the report. */
export type Recorded = Decision & {
  readonly order: OpenOrder
  readonly changed: boolean
  /** The attempt at the next channel, which is now to be called. */
  readonly nextAttemptNo: number | undefined
}

export type RecordDeps = { readonly db: Db; readonly rates: Pick<Rates, 'find'> }

/**
 * At most one report per order. One transaction: should it fail nothing is written, so that a repetition finds the orders as
 * they were and answers the same, the attempt at the next channel included.
 */
export async function recordOutcomes(
  deps: RecordDeps,
  reports: readonly OutcomeReport[],
): Promise<Recorded[]> {
  const results: Results = new Map()
  if (reports.every(isKnown)) await recordKnown(deps, reports, results)
  else await recordLocked(deps, reports, results)
  return reports.map((report) => {
    const recorded = results.get(report)
    assert(recorded !== undefined, 'every report is recorded')
    return recorded
  })
}

type Results = Map<OutcomeReport, Recorded>

type KnownReport = OutcomeReport & { readonly accepted: OpenOrder }

/** Deposits and reviews touch more than the order. */
function isKnown(report: OutcomeReport): report is KnownReport {
  const { accepted, attemptNo, outcome } = report
  if (outcome.kind === 'received' || (outcome.kind === 'failed' && outcome.deposits !== undefined))
    return false
  return accepted?.attempt.no === attemptNo && !accepted.needsReview
}

async function recordKnown(
  deps: RecordDeps,
  reports: readonly KnownReport[],
  results: Results,
): Promise<void> {
  const changes: PlannedChange[] = []
  for (const report of reports) judge(deps, { report, order: report.accepted, arrived: 0n }, results, changes)
  try {
    await deps.db.atOnce(statementsOf(changes), { byKey: true })
  } catch (error) {
    if (!isPreconditionFailed(error)) throw error
    await recordLocked(deps, reports, results)
  }
}

function recordLocked(deps: RecordDeps, reports: readonly OutcomeReport[], results: Results): Promise<void> {
  return deps.db.transaction((tx) => recordIn(tx, deps, reports, results), { byKey: true })
}

async function recordIn(
  tx: Tx,
  deps: RecordDeps,
  reports: readonly OutcomeReport[],
  results: Results,
): Promise<void> {
  const orders = await lockOrders(tx, reports)
  const changes: PlannedChange[] = []
  const told: Told[] = []
  for (const report of reports) {
    const { outcome, at } = report
    const order = orders.get(report.tradeNo)
    assert(order !== undefined, 'a reported order and attempt exist')
    const { waiting, alarm } = await keepDeposits(tx, order, outcome, at)
    const arrived = sumOf(waiting, order.money.currency)
    const decision = judge(deps, { report, order, arrived, alarm }, results, changes)
    told.push({ order, outcome, waiting, decision, at })
  }
  await Promise.all(statementsOf(changes).map((statement) => tx.query(statement)))
  await tellReviews(tx, changes)
  await useDeposits(tx, told)
}

type Case = {
  readonly report: OutcomeReport
  readonly order: OpenOrder
  readonly arrived: bigint
  /** About the money that was reported, whatever is decided. */
  readonly alarm?: string | undefined
}

/** Adds to the results, and to the changes when there is something to write. */
function judge(
  { rates }: RecordDeps,
  { report, order, arrived, alarm }: Case,
  results: Results,
  changes: PlannedChange[],
): Decision {
  const { keepsOrder, next } = report
  const also = { arrived, keepsOrder, isLate: isLate(order, report), hasNext: next !== undefined }
  const decision = decide(order, report.outcome, also)
  const changed = isChange(order, decision)
  const isPassedOn = changed && isPassed(report, decision, order)
  const nextAttemptNo = isPassedOn ? order.attempt.no + 1 : undefined
  results.set(report, recordedOf(decision, order, changed, nextAttemptNo, alarm))
  if (changed) changes.push(plan(order, decision, report, isPassedOn ? next : undefined, rates))
  return decision
}

/** Each field by its name: thousands a second are made, and a copy of an unknown object takes several times as long. */
function recordedOf(
  decision: Decision,
  order: OpenOrder,
  changed: boolean,
  nextAttemptNo: number | undefined,
  reportAlarm: string | undefined,
): Recorded {
  const { attemptState, orderState, message, received, alarm = reportAlarm } = decision
  return { attemptState, orderState, message, received, alarm, order, changed, nextAttemptNo }
}

async function tellReviews(tx: Tx, changes: readonly PlannedChange[]): Promise<void> {
  const asked = changes.filter((change) => change.decided && change.orderState === State.informationAsked)
  if (asked.length === 0) return
  const told = await wantReviewNotifications(
    tx,
    asked.map(({ order }) => order.merNo),
  )
  const wanted = asked.filter(({ order }) => told.has(order.merNo))
  await enqueueNotifications(
    tx,
    wanted.map((change) => ({ ...notificationOf(change), event: 'review' })),
  )
}
