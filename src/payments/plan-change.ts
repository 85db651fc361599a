// What one outcome changes: decided by the rules of a payment, and worked out as far as it is written.

import { addDays, localDay, startOfDay } from '../base/local-day.ts'
import type { Outcome } from '../channels/contract.ts'
import { assert } from '../errors/catalogue.ts'
import type { Dues } from '../orders/dues.ts'
import {
  type Charges,
  chargesOf,
  type Decision,
  fitsBooks,
  isDecided,
  isTechnical,
  mayBecome,
  nextAskMs,
  type OpenOrder,
  State,
} from '../orders/order.ts'
import type { Change } from '../orders/sql.ts'
import type { Rates } from '../rates/rates.ts'

export type OutcomeReport = {
  readonly merNo: number
  readonly tradeNo: string
  readonly attemptNo: number
  readonly outcome: Outcome
  readonly at: Date
  /** How long a pending attempt waits for its payer. */
  readonly awaitsPayerMinutes: number
  /** The payer gave up this attempt to pay in another way: failing, it leaves the order open. */
  readonly keepsOrder?: true | undefined
  /** The order as it was accepted, where this call is its first: it need not be read then. */
  readonly accepted?: OpenOrder | undefined
  /** Where to go on, should this channel turn out to be in trouble. */
  readonly next?: { readonly channel: string; readonly askAt: Date } | undefined
}

type FindRate = Pick<Rates, 'find'>

/** The channel was in trouble, and the order goes on at the next one. */
export function isPassed({ next, outcome }: OutcomeReport, decision: Decision, order: OpenOrder): boolean {
  return (
    next !== undefined &&
    outcome.kind === 'failed' &&
    isTechnical(outcome.cause) &&
    decision.orderState === order.state
  )
}

/** The payer's time for the attempt is over. */
export function isLate({ attempt }: OpenOrder, { at, awaitsPayerMinutes }: OutcomeReport): boolean {
  return at.getTime() >= attempt.createdAt.getTime() + awaitsPayerMinutes * 60_000
}

export type PlannedChange = Change & {
  readonly order: OpenOrder
  readonly outcome: Outcome
  readonly at: Date
  readonly decided: boolean
}

/** An open attempt is written even when it stays as it is: its next asking time moves on. */
export function isChange(order: OpenOrder, decision: Decision): boolean {
  return decision.orderState !== order.state || !isDecided(order.attempt.state)
}

export function plan(
  order: OpenOrder,
  decision: Decision,
  report: OutcomeReport,
  next: OutcomeReport['next'],
  rates: FindRate,
): PlannedChange {
  const decided = decision.orderState !== order.state
  assert(
    !decided || mayBecome(order.state, decision.orderState),
    `an order may go ${order.state} → ${decision.orderState}`,
  )
  const { outcome, at } = report
  const isSuccess = decided && decision.orderState === State.succeeded
  const { charges, dues } = isSuccess ? successOf(order, at, rates) : NOTHING
  return {
    order,
    outcome,
    at,
    decided,
    received: decision.received,
    next,
    attemptState: decision.attemptState,
    orderState: decision.orderState,
    message: decision.message,
    channelRef: 'channelRef' in outcome ? outcome.channelRef : undefined,
    action: 'action' in outcome ? outcome.action : undefined,
    askAt: nextAsk(order, decision, report),
    charges,
    dues,
  }
}

const NOTHING = { charges: undefined, dues: undefined }

/** The rate is fixed now; should none be set any more, or one that gives no bookable sum, the acceptance's counts. */
export function successOf(
  order: OpenOrder,
  at: Date,
  rates: FindRate,
  money = order.money,
): { readonly charges: Charges; readonly dues: Dues } {
  const { terms, timezone } = order
  const isOwn = terms.settleCurrency === money.currency
  const current = isOwn ? undefined : rates.find(money.currency, terms.settleCurrency)
  const whole = { amount: money.amount + terms.feeFixed, currency: money.currency }
  const rate = current && fitsBooks(whole, terms.settleCurrency, current) ? current : terms.settleRate
  const today = localDay(at, timezone)
  const charges = chargesOf(money, terms, rate)
  const dueIn = (days: number) => startOfDay(addDays(today, days), timezone)
  const marginAt = charges.margin > 0n ? dueIn(terms.marginDays) : undefined
  return { charges, dues: { settleAt: dueIn(terms.settleDays), marginAt } }
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
