// Records what channels said about attempts, many in one transaction: the state change with its history row, the ledger
// entries, the outbox row, and the limits given back by what failed.
//
// Invariant: an attempt is decided once. The order row is locked, the rule decides on what it finds there, and the update
// names the version that it saw. Lock order: orders with their attempts by (mer_no, trade_no), then usage rows, then
// suspense, then balances.
import type { Db, Tx } from '../base/db.ts'
import { assert } from '../base/error.ts'
import { addDays, localDay, startOfDay } from '../base/local-day.ts'
import type { Outcome } from '../channels/contract.ts'
import { type Entry, postEntries } from '../ledger/post-entries.ts'
import { wantReviewNews } from '../merchants/want-review-news.ts'
import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import type { Rates } from '../rates/rates.ts'
import { keepDeposits, sumOf, type Told, useDeposits } from './deposits.ts'
import {
  bookingsOf,
  type Charges,
  chargesOf,
  type Decision,
  decide,
  heldForReview,
  isDecided,
  isTechnical,
  mayBecome,
  nextAskMs,
  type OpenOrder,
  State,
  type StateNumber,
} from './payment.ts'
import { notificationOf } from './payment-news.ts'
import { type Change, type Dues, lockOrders, writeChanges } from './record-sql.ts'
import { addTotals, type Step } from './totals.ts'
import { returnUsage, type Usage, usageKey } from './usage.ts'

export type OutcomeReport = {
  readonly merNo: number
  readonly tradeNo: string
  readonly attemptNo: number
  readonly outcome: Outcome
  readonly at: Date
  /** How long a pending attempt waits for its payer. */
  readonly awaitsPayerMinutes: number
  /** The payer gave up this attempt to pay in another way: failing, it leaves the order open. */
  readonly keepsOrder?: true
  /** Where to go on, should this channel turn out to be in trouble. */
  readonly next?: { readonly channel: string; readonly askAt: Date } | undefined
}

/** How the order stands after the report. */
export type Recorded = Decision & {
  readonly order: OpenOrder
  readonly changed: boolean
  /** The attempt at the next channel, which is now to be called. */
  readonly nextAttemptNo?: number
}

export type RecordDeps = { readonly db: Db; readonly rates: Pick<Rates, 'find'> }

export async function recordOutcomes(
  deps: RecordDeps,
  reports: readonly OutcomeReport[],
): Promise<Recorded[]> {
  const results = new Map<OutcomeReport, Recorded>()
  // A call's answer and its callback may meet in one batch: one report an order at a time.
  for (let rest = [...reports]; rest.length > 0; ) {
    const round = firstPerOrder(rest)
    const recorded = await deps.db.transaction((tx) => recordRound(tx, deps.rates, round), { byKey: true })
    for (const [report, result] of recorded) results.set(report, result)
    rest = rest.filter((report) => !results.has(report))
  }
  return reports.map((report) => {
    const recorded = results.get(report)
    assert(recorded !== undefined, 'every report is recorded')
    return recorded
  })
}

function firstPerOrder(reports: readonly OutcomeReport[]): OutcomeReport[] {
  const byOrder = new Map<string, OutcomeReport>()
  for (const report of reports) if (!byOrder.has(report.tradeNo)) byOrder.set(report.tradeNo, report)
  return [...byOrder.values()]
}

async function recordRound(
  tx: Tx,
  rates: RecordDeps['rates'],
  reports: readonly OutcomeReport[],
): Promise<Map<OutcomeReport, Recorded>> {
  const orders = await lockOrders(tx, reports)
  const results = new Map<OutcomeReport, Recorded>()
  const changes: PlannedChange[] = []
  const told: Told[] = []
  for (const report of reports) {
    const { outcome, at } = report
    const order = orders.get(report.tradeNo)
    assert(order !== undefined, 'a reported order and attempt exist')
    const waiting = await keepDeposits(tx, order, outcome)
    const arrived = sumOf(waiting, order.money.currency)
    const decision = decide(order, outcome, { ...report, arrived, hasNext: report.next !== undefined })
    const changed = isChange(order, decision)
    const isPassedOn = changed && isPassed(report, decision, order)
    results.set(report, {
      ...decision,
      order,
      changed,
      ...(isPassedOn && { nextAttemptNo: order.attempt.no + 1 }),
    })
    if (changed)
      changes.push(plan(order, decision, isPassedOn ? report : { ...report, next: undefined }, rates))
    told.push({ order, outcome, waiting, decision, at })
  }
  if (changes.length > 0) await write(tx, changes)
  await useDeposits(tx, told)
  return results
}

/** The channel was in trouble, and the order goes on at the next one. */
function isPassed({ next, outcome }: OutcomeReport, decision: Decision, order: OpenOrder): boolean {
  return (
    next !== undefined &&
    outcome.kind === 'failed' &&
    isTechnical(outcome.cause) &&
    decision.orderState === order.state
  )
}

type PlannedChange = Change & {
  readonly order: OpenOrder
  readonly outcome: Outcome
  readonly at: Date
  readonly decided: boolean
}

/** An open attempt is written even when it stays as it is: its next asking time moves on. */
function isChange(order: OpenOrder, decision: Decision): boolean {
  return decision.orderState !== order.state || !isDecided(order.attempt.state)
}

function plan(
  order: OpenOrder,
  decision: Decision,
  report: OutcomeReport,
  rates: RecordDeps['rates'],
): PlannedChange {
  const decided = decision.orderState !== order.state
  assert(
    !decided || mayBecome(order.state, decision.orderState),
    `an order may go ${order.state} → ${decision.orderState}`,
  )
  const { outcome, at } = report
  return {
    order,
    outcome,
    at,
    decided,
    received: decision.received,
    next: report.next,
    attemptState: decision.attemptState,
    orderState: decision.orderState,
    message: decision.message,
    channelRef: 'channelRef' in outcome ? outcome.channelRef : undefined,
    action: 'action' in outcome ? outcome.action : undefined,
    askAt: nextAsk(order, decision, report),
    ...(decision.orderState === State.succeeded && decided ? successOf(order, at, rates) : NOTHING),
  }
}

const NOTHING = { charges: undefined, dues: undefined }

/** The rate is fixed now; should none be set any more, the one of the acceptance counts. */
export function successOf(
  order: OpenOrder,
  at: Date,
  rates: RecordDeps['rates'],
  money = order.money,
): { readonly charges: Charges; readonly dues: Dues } {
  const { terms, timezone } = order
  const isOwn = terms.settleCurrency === money.currency
  const rate = isOwn ? undefined : (rates.find(money.currency, terms.settleCurrency) ?? terms.settleRate)
  const today = localDay(at, timezone)
  const dueIn = (days: number) => startOfDay(addDays(today, days), timezone)
  return {
    charges: chargesOf(money, terms, rate),
    dues: { settleAt: dueIn(terms.settleDays), marginAt: dueIn(terms.marginDays) },
  }
}

function nextAsk(
  order: OpenOrder,
  decision: Decision,
  { at, awaitsPayerMinutes }: OutcomeReport,
): Date | undefined {
  const { createdAt, asks } = order.attempt
  if (isDecided(decision.attemptState)) return undefined
  const inAWhile = new Date(at.getTime() + nextAskMs(asks, at.getTime() - createdAt.getTime()))
  if (decision.attemptState !== 'pending') return inAWhile
  const payerIsLate = new Date(createdAt.getTime() + awaitsPayerMinutes * 60_000)
  return payerIsLate > inAWhile ? payerIsLate : inAWhile
}

/** None of these needs another's answer: they are sent together, and the database takes them in this order. */
async function write(tx: Tx, changes: readonly PlannedChange[]): Promise<void> {
  const ended = changes.filter((change) => change.decided && isFinal(change.orderState))
  const failed = ended.filter((change) => change.orderState !== State.succeeded)
  const [written] = await Promise.all([
    writeChanges(tx, changes),
    failed.length > 0 && returnUsage(tx, usagesOf(failed.map(({ order }) => order))),
    postEntries(tx, changes.flatMap(bookings)),
    addTotals(tx, ended.map(toStep)),
    enqueueNotifications(tx, ended.map(notificationOf)),
  ])
  assert(written === changes.length, 'no locked order changes under us')
  const asked = changes.filter((change) => change.decided && change.orderState === State.informationAsked)
  if (asked.length > 0) await tellReviews(tx, asked)
}

/** Only what is final is told to everyone, and counted; until then an order counts as open. */
function isFinal(state: StateNumber): boolean {
  return state === State.succeeded || state === State.failed || state === State.cancelled
}

async function tellReviews(tx: Tx, asked: readonly PlannedChange[]): Promise<void> {
  const told = await wantReviewNews(
    tx,
    asked.map(({ order }) => order.merNo),
  )
  const wanted = asked.filter(({ order }) => told.has(order.merNo))
  await enqueueNotifications(
    tx,
    wanted.map((change) => ({ ...notificationOf(change), event: 'review' })),
  )
}

function toStep({ order, orderState, charges, at }: PlannedChange): Step {
  const { merNo, localDay, money, terms } = order
  const { currency, amount: sourceAmount } = money
  const cell = {
    merNo,
    localDay,
    state: orderState,
    currency,
    settleCurrency: terms.settleCurrency,
    settled: false,
  }
  return { cell, sign: 1n, sourceAmount, settleAmount: charges?.settleAmount ?? 0n, at }
}

function bookings({ order, orderState, decided, charges, at }: PlannedChange): Entry[] {
  if (charges !== undefined) return bookingsOf(order, charges, at)
  return decided && orderState === State.informationAsked ? [heldForReview(order, at)] : []
}

/** What failed counts against no limit. A day that is over is given back too: it changes nothing and needs no rule. */
export function usagesOf(
  orders: readonly Pick<OpenOrder, 'merNo' | 'method' | 'localDay' | 'usdValue' | 'platformLimited'>[],
): Usage[] {
  const sums = new Map<string, Usage>()
  for (const order of orders) {
    const owners = [{ merNo: order.merNo, method: '' }]
    if (order.platformLimited) owners.push({ merNo: 0, method: order.method })
    for (const owner of owners) {
      for (const period of [order.localDay, order.localDay.slice(0, 7)]) {
        const key = usageKey({ ...owner, period })
        sums.set(key, { ...owner, period, used: (sums.get(key)?.used ?? 0n) + order.usdValue })
      }
    }
  }
  return [...sums.values()]
}
