// Pure rules: a refund's states and transitions, the checks of an application, and the effect of each outcome that the
// channel reports.

import type { Actor } from '../../platform/audit-log/entry.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { formatAmount, isSameMoney, type Money } from '../../platform/base/money.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { RefundOutcome } from '../../rails/contract/channel.ts'
import { inTheirWords } from '../../rails/contract/counterparty-texts.ts'
import { alarmAgain, type CameBack, decideReturned } from '../../rails/contract/returned.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { State, type StateNumber } from '../orders/order.ts'

export type RefundState = keyof typeof transitions

const transitions = {
  /** The money was taken. An operator must approve before the channel is called. */
  waiting: ['calling', 'failed'],
  /** The channel is about to be called, or the call is under way. */
  calling: ['pending', 'unknown', 'succeeded', 'failed', 'returned'],
  /** The channel has received the refund and has not decided yet. */
  pending: ['unknown', 'succeeded', 'failed', 'returned'],
  /** The channel did not respond, or its response could not be understood. */
  unknown: ['pending', 'succeeded', 'failed', 'returned'],
  /** The refund was paid to the payer. */
  succeeded: ['returned'],
  /** The money was given back to the order. */
  failed: [],
  /** The refund succeeded, and the payer's bank sent the money back later. The money was given back to the order. */
  returned: [],
} as const satisfies Record<string, readonly string[]>

export const refundStates = Object.keys(transitions).filter(
  (name): name is RefundState => name in transitions,
)

export function mayFollow(from: RefundState, to: RefundState): boolean {
  const next: readonly string[] = transitions[from]
  return next.includes(to)
}

/** The state codes that `queryType` `refund` returns. */
export const stateCodes: Readonly<Record<RefundState, 4 | 5 | 6>> = {
  waiting: 4,
  calling: 4,
  pending: 4,
  unknown: 4,
  failed: 5,
  returned: 5,
  succeeded: 6,
}

export function isDecided(state: RefundState): boolean {
  return state === 'succeeded' || hasMoneyBack(state)
}

/** True if the money was given back to the order, so the refund no longer counts against the order's amount. */
export function hasMoneyBack(state: RefundState): boolean {
  return state === 'failed' || state === 'returned'
}

export type Refund = {
  readonly merNo: number
  readonly refundNo: string
  readonly tradeNo: string
  readonly merOrderNo: string
  /** The merchant's own number of the refund. Undefined if the merchant sent none. */
  readonly merRefundNo: string | undefined
  readonly money: Money
  readonly fee: bigint
  readonly remark: string
  readonly notifyUrl: string
  readonly payment: RefundedPayment
  /** The person who asked for the refund in the back office. Undefined for a request of the merchant's own system. */
  readonly askedBy: Actor | undefined
  readonly state: RefundState
  readonly version: number
  readonly message: string
  readonly createdAt: Date
  readonly asks: number
  /**
   * The amount that was credited when the refund came back. Undefined before a return. Also undefined if the channel
   * reported no amount. In that case, the whole refund was credited.
   */
  readonly returnedAmount: bigint | undefined
  /** The money of the return that went to suspense. Set only while a further report of the return is recorded. */
  readonly returnedHeld?: Money | undefined
}

/** The refunded payment. `channelRef` is the channel's own reference of the payment. */
export type RefundedPayment = {
  readonly channel: string
  readonly attemptNo: number
  readonly channelRef: string | undefined
  readonly amount: bigint
}

/**
 * A merchant's request for a refund. Our refund number exists before acceptance, so a repeated batch adds no second
 * refund.
 */
export type Application = {
  readonly terms: RefundTerms
  readonly refundNo: string
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly merRefundNo: string | undefined
  readonly money: Money
  readonly remark: string
  readonly notifyUrl: string
  /** True if the payment's channel supports refunds. */
  readonly refundable: boolean
  /**
   * False if an attacker could replay a captured request with another `merRefundNo`. A replay is possible if the
   * signature does not cover `merRefundNo`, and the request does not come from an address on the merchant's list.
   */
  readonly isReplayProof: boolean
  /**
   * The person who asked for the refund in the back office, and why. Undefined for a request of the merchant's own
   * system.
   */
  readonly by?: RefundAuthor | undefined
  readonly at: Date
}

export type RefundAuthor = { readonly actor: Actor; readonly reason: string }

export type RefundTerms = Pick<Merchant, 'merNo' | 'feePlans' | 'refundCredit' | 'approveRefunds'>

const REPEATED_WITHIN_MS = 10 * 60_000

export function repeatedSince(now: Date): Date {
  return new Date(now.getTime() - REPEATED_WITHIN_MS)
}

export type Acceptance =
  /** The new refund, or the earlier refund that the application repeats. */
  { readonly refund: Refund; readonly refusal?: undefined } | { readonly refusal: Refusal }

/**
 * Checks the application against earlier refunds. Returns the earlier refund that the application repeats. Returns a
 * refusal in three cases: the application comes too soon after an equal refund, it uses the number of another refund,
 * or it may be a replay and has the amount of an earlier refund. Returns undefined if the application is new.
 */
export function findEarlier(application: Application, known: readonly Refund[]): Acceptance | undefined {
  return findSame(application, known) ?? findReplayed(application, known)
}

function findReplayed(application: Application, known: readonly Refund[]): Acceptance | undefined {
  const { isReplayProof, tradeNo, money } = application
  const stands = (refund: Refund) =>
    refund.tradeNo === tradeNo && refund.money.amount === money.amount && !hasMoneyBack(refund.state)
  return isReplayProof || !known.some(stands) ? undefined : { refusal: new Refusal('10003', REPLAYED) }
}

function findSame(application: Application, known: readonly Refund[]): Acceptance | undefined {
  const { refundNo, merRefundNo } = application
  const own = known.find((refund) => refund.refundNo === refundNo)
  if (own !== undefined) return { refund: own }
  if (merRefundNo === undefined) return repeats(application, known) ? { refusal: tooSoon() } : undefined
  const named = known.find((refund) => refund.merRefundNo === merRefundNo)
  if (named === undefined) return undefined
  // A repeated application must have the same address for notifications, because the earlier refund sends its
  // notification to the earlier address only.
  const isSame = hasSameContent(application, named) && application.notifyUrl === named.notifyUrl
  return isSame
    ? { refund: named }
    : { refusal: new Refusal('10009', 'merRefundNo stands for another refund') }
}

function repeats(application: Application, known: readonly Refund[]): boolean {
  const since = repeatedSince(application.at)
  return known.some(
    (refund) => hasSameContent(application, refund) && (refund.createdAt > since || !isDecided(refund.state)),
  )
}

function hasSameContent(application: Application, { tradeNo, money, remark }: Refund): boolean {
  return (
    application.tradeNo === tradeNo &&
    application.money.amount === money.amount &&
    application.remark === remark
  )
}

function tooSoon(): Refusal {
  return new Refusal('10003', 'if another refund of the same amount is meant, send a merRefundNo')
}

const REPLAYED =
  'a refund of this order and amount exists; for a further one send a merRefundNo and sign merNo, merOrderNo, amount, ' +
  "tradeNo and merRefundNo, or sign with RSA, or send it from an address on the merchant's list"

const refundable: readonly StateNumber[] = [State.succeeded, State.refunding, State.refunded]

/** True if the state allows a refund. While a chargeback is open or after it is lost, only the bank moves money. */
export function mayRefund(state: StateNumber): boolean {
  return refundable.includes(state)
}

type Refundability = {
  /** True if the payment's channel supports refunds. */
  readonly refundable: boolean
  /** The order. Undefined for an unpaid order. */
  readonly order: { readonly state: StateNumber } | undefined
  readonly amount: bigint
  readonly left: bigint
}

/**
 * Returns the refusal of the first check that fails. Undefined if all checks pass. Acceptance runs the checks, and
 * approval runs them again. The sequence of the checks must not change, because merchants rely on it.
 */
export function refusalOf({ refundable, order, amount, left }: Refundability): Refusal | undefined {
  if (!refundable) return new Refusal('10103')
  if (order === undefined || !mayRefund(order.state)) return new Refusal('10102')
  return amount > left ? new Refusal('10101') : undefined
}

export type RefundDecision = {
  readonly state: RefundState
  readonly message: string
  readonly cameBack?: CameBack
  /** The reason why an operator must check the refund: the outcome contradicts the state or reports another amount. */
  readonly alarm?: string
}

/**
 * Decides the effect of an outcome. A decision is final, except that the money of a refund may come back later. An
 * outcome that contradicts the decision raises an alarm and moves no money.
 */
export function decideRefund(refund: Refund, outcome: RefundOutcome): RefundDecision {
  const { state, message } = refund
  if (isDecided(state)) return decideAgain(refund, outcome)
  if (state === 'waiting' && outcome.kind !== 'failed')
    return { state, message, alarm: `the channel says ${outcome.kind} of a refund that was not sent` }
  switch (outcome.kind) {
    case 'succeeded':
      return isSameMoney(outcome.money, refund.money)
        ? { state: 'succeeded', message: 'Refund succeeded' }
        : { state: 'unknown', message: WAITING, alarm: 'the channel refunded another amount or currency' }
    case 'failed':
      return { state: 'failed', message: outcome.message }
    case 'returned':
      return { state: 'returned', ...decideReturned('refund', refund.money, outcome) }
    case 'pending':
      return { state: 'pending', message: 'The channel is processing the refund' }
    case 'unknown':
      // The channel has already received the refund. A missing response does not change the state.
      return state === 'pending' ? { state, message } : { state: 'unknown', message: WAITING }
  }
}

/**
 * Decides the effect of an outcome on a decided refund. A returned refund stays returned after a late report of its
 * success. A failed refund stays failed after the report of a return.
 */
function decideAgain(refund: Refund, outcome: RefundOutcome): RefundDecision {
  const { state, message, money } = refund
  if (state === 'succeeded' && outcome.kind === 'returned')
    return { state: 'returned', ...decideReturned('refund', money, outcome) }
  if (state === 'returned') return { state, message, ...alarmAgain(money, refund, outcome) }
  const contradicts =
    (state === 'succeeded' && outcome.kind === 'failed') ||
    (state === 'failed' && outcome.kind === 'succeeded')
  const alarm = `refund was ${state}, the channel now says ${inTheirWords(outcome)}`
  return contradicts ? { state, message, alarm } : { state, message }
}

const WAITING = "Waiting for the channel's answer"

/**
 * Returns the refund's reference at channels: its number with another first letter. All calls for a refund use the same
 * reference.
 */
export function refundReference(refundNo: string): string {
  return `B${refundNo.slice(1)}`
}

/** Returns the refund number in a reference. Undefined for a reference in another format. */
export function refundNoOf(reference: string): string | undefined {
  const refundNo = `R${reference.slice(1)}`
  return merNoOf(refundNo) !== undefined && refundReference(refundNo) === reference ? refundNo : undefined
}

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/**
 * Returns the back-off after this number of calls: one second at first, doubled after each call, at most one hour. The
 * back-off does not depend on the refund's age, because a refund may wait days for approval before its first call.
 */
export function nextCallMs(calls: number): number {
  return Math.min(2 ** Math.min(Math.max(calls - 1, 0), 12) * SECOND_MS, HOUR_MS)
}

/** The names of a refund's ledger steps. Each step is booked only once. */
export const steps = {
  taken: (refundNo: string) => `refund:${refundNo}`,
  paidOut: (refundNo: string) => `refund-paid:${refundNo}`,
  failed: (refundNo: string) => `refund-failed:${refundNo}`,
  cameBack: (refundNo: string) => `refund-returned:${refundNo}`,
  returnCost: (refundNo: string) => `return-cost:${refundNo}`,
  returnKept: (refundNo: string) => `return-kept:${refundNo}`,
}

/**
 * Returns the part of a returned refund that did not come back. The merchant bears this part. Undefined if the whole
 * amount came back, or if the channel did not report the amount.
 */
export function returnCostOf({ money, returnedAmount }: Refund): Money | undefined {
  if (returnedAmount === undefined || returnedAmount === money.amount) return undefined
  return { ...money, amount: money.amount - returnedAmount }
}

/** Returns the amounts of a refund in the format of responses, queries and notifications. */
export function refundSums({ money }: Pick<Refund, 'money'>) {
  return { refundAmount: formatAmount(money.amount, money.currency), refundCurrency: money.currency }
}
