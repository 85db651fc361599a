// A refund: its states, their transitions, who may ask for one, and what each outcome of the channel means. Pure rules.

import type { Actor } from '../audit-log/entry.ts'
import { merNoOf } from '../base/id.ts'
import { formatAmount, type Money } from '../base/money.ts'
import type { RefundOutcome, Returned } from '../channels/contract.ts'
import { inTheirWords } from '../channels/in-their-words.ts'
import { Refusal } from '../errors/catalogue.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { State, type StateNumber } from '../orders/order.ts'

export type RefundState = keyof typeof transitions

const transitions = {
  /** The money was taken; an operator must approve before the channel is called. */
  waiting: ['calling', 'failed'],
  /** The channel is about to be called, or the call is under way. */
  calling: ['pending', 'unknown', 'succeeded', 'failed', 'returned'],
  /** The channel has accepted it and not decided yet. */
  pending: ['unknown', 'succeeded', 'failed', 'returned'],
  /** The channel did not respond, or its response made no sense. */
  unknown: ['pending', 'succeeded', 'failed', 'returned'],
  /** The payer has the money. */
  succeeded: ['returned'],
  /** The order has the money back. */
  failed: [],
  /** It succeeded, and the payer's bank sent the money back later: the order has it again. */
  returned: [],
} as const satisfies Record<string, readonly string[]>

export const refundStates = Object.keys(transitions).filter(
  (name): name is RefundState => name in transitions,
)

export function mayFollow(from: RefundState, to: RefundState): boolean {
  const next: readonly string[] = transitions[from]
  return next.includes(to)
}

/** The states of `queryType` `refund`. */
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

/** The refund no longer counts against the order's amount. */
export function hasMoneyBack(state: RefundState): boolean {
  return state === 'failed' || state === 'returned'
}

export type Refund = {
  readonly merNo: number
  readonly refundNo: string
  readonly tradeNo: string
  readonly merOrderNo: string
  /** The merchant's own number, if it sent one. */
  readonly merRefundNo: string | undefined
  readonly money: Money
  readonly fee: bigint
  readonly remark: string
  readonly notifyUrl: string
  readonly payment: RefundedPayment
  readonly state: RefundState
  readonly version: number
  readonly message: string
  readonly createdAt: Date
  readonly asks: number
}

/** The payment as the channel knows it. */
export type RefundedPayment = {
  readonly channel: string
  readonly attemptNo: number
  readonly channelRef: string | undefined
  readonly amount: bigint
}

/** A merchant's request for a refund. Its number is created first, so that a repeated application is one refund. */
export type Application = {
  readonly terms: RefundTerms
  readonly refundNo: string
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly merRefundNo: string | undefined
  readonly money: Money
  readonly remark: string
  readonly notifyUrl: string
  /** Whether the payment's channel supports refunds. */
  readonly refundable: boolean
  /** False: the signature does not cover the number, so a captured request could be sent again under another one. */
  readonly isReplayProof: boolean
  /** The person who asked for it in the back office; undefined: the merchant's own system did. */
  readonly by?: RefundAuthor | undefined
  readonly at: Date
}

export type RefundAuthor = { readonly actor: Actor; readonly reason: string }

export type RefundTerms = Pick<Merchant, 'merNo' | 'feePlans' | 'refundCredit' | 'approveRefunds'>

const REPEATED_WITHIN_MS = 10 * 60_000

export function repeatedSince(now: Date): Date {
  return new Date(now.getTime() - REPEATED_WITHIN_MS)
}

/** The result of an application. */
export type Acceptance =
  /** The new refund, or the earlier one that the application repeats. */
  { readonly refund: Refund; readonly refusal?: undefined } | { readonly refusal: Refusal }

/**
 * Checks the application against earlier refunds. It may repeat one, come too soon after one, or use the number of another;
 * and a further one of the same amount must not be a captured request.
 */
export function findEarlier(application: Application, known: readonly Refund[]): Acceptance | undefined {
  return findSame(application, known) ?? findReplayed(application, known)
}

function findReplayed(application: Application, known: readonly Refund[]): Acceptance | undefined {
  const { isReplayProof, tradeNo, money } = application
  const stands = (refund: Refund) =>
    refund.tradeNo === tradeNo && refund.money.amount === money.amount && !hasMoneyBack(refund.state)
  return isReplayProof || !known.some(stands) ? undefined : { refusal: replayed() }
}

function findSame(application: Application, known: readonly Refund[]): Acceptance | undefined {
  const { refundNo, merRefundNo } = application
  const own = known.find((refund) => refund.refundNo === refundNo)
  if (own !== undefined) return { refund: own }
  if (merRefundNo === undefined) return repeats(application, known) ? { refusal: tooSoon() } : undefined
  const named = known.find((refund) => refund.merRefundNo === merRefundNo)
  if (named === undefined) return undefined
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

function replayed(): Refusal {
  return new Refusal(
    '10003',
    'a refund of this order and amount exists; for a further one send a merRefundNo and sign merNo, merOrderNo, amount, ' +
      "tradeNo and merRefundNo, or sign with RSA, or send it from an address on the merchant's list",
  )
}

const refundable: readonly StateNumber[] = [State.succeeded, State.refunding, State.refunded]

/** Not while a chargeback is open, nor after a lost one: then only the bank moves the money. */
export function mayRefund(state: StateNumber): boolean {
  return refundable.includes(state)
}

/** What an outcome changes. */
export type RefundDecision = {
  readonly state: RefundState
  readonly message: string
  /** Set when an operator must check: the outcome contradicts an earlier one, or echoes another amount. */
  readonly alarm?: string
}

/**
 * A decision is final, except that the money of a refund may come back later. A contradicting outcome raises an alarm instead
 * of moving money twice.
 */
export function decideRefund(refund: Refund, outcome: RefundOutcome): RefundDecision {
  const { state, message } = refund
  if (isDecided(state)) return decideAgain(refund, outcome)
  if (state === 'waiting' && outcome.kind !== 'failed')
    return { state, message, alarm: `the channel says ${outcome.kind} of a refund that was not sent` }
  switch (outcome.kind) {
    case 'succeeded':
      return echoes(outcome.money, refund.money)
        ? { state: 'succeeded', message: 'Refund succeeded' }
        : { state: 'unknown', message: WAITING, alarm: 'the channel refunded another amount or currency' }
    case 'failed':
      return { state: 'failed', message: outcome.message }
    case 'returned':
      return { state: 'returned', message: returnedMessage(outcome) }
    case 'pending':
      return { state: 'pending', message: 'The channel is processing the refund' }
    case 'unknown':
      // The channel has accepted it; a missing response does not change that.
      return state === 'pending' ? { state, message } : { state: 'unknown', message: WAITING }
  }
}

/** A late report of what came before a return changes nothing, nor does the return of a refund that failed. */
function decideAgain({ state, message }: Refund, outcome: RefundOutcome): RefundDecision {
  if (state === 'succeeded' && outcome.kind === 'returned')
    return { state: 'returned', message: returnedMessage(outcome) }
  const contradicts =
    (state === 'succeeded' && outcome.kind === 'failed') ||
    (state === 'failed' && outcome.kind === 'succeeded')
  const alarm = `refund was ${state}, the channel now says ${inTheirWords(outcome)}`
  return contradicts ? { state, message, alarm } : { state, message }
}

function returnedMessage({ message }: Returned): string {
  return `The refund came back: ${message}`
}

const WAITING = "Waiting for the channel's answer"

function echoes(echoed: Money, { amount, currency }: Money): boolean {
  return echoed.amount === amount && echoed.currency === currency
}

/** One reference for all retries: the refund number with another first letter. */
export function refundReference(refundNo: string): string {
  return `B${refundNo.slice(1)}`
}

/** The refund number of a reference; undefined when it cannot be one of ours. */
export function refundNoOf(reference: string): string | undefined {
  const refundNo = `R${reference.slice(1)}`
  return merNoOf(refundNo) !== undefined && refundReference(refundNo) === reference ? refundNo : undefined
}

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** Back-off by the number of calls: from seconds to one hour. */
export function nextCallMs(calls: number): number {
  return Math.min(2 ** Math.min(Math.max(calls - 1, 0), 12) * SECOND_MS, HOUR_MS)
}

/** Ledger steps; each is booked only once. */
export const steps = {
  taken: (refundNo: string) => `refund:${refundNo}`,
  paidOut: (refundNo: string) => `refund-paid:${refundNo}`,
  failed: (refundNo: string) => `refund-failed:${refundNo}`,
  cameBack: (refundNo: string) => `refund-returned:${refundNo}`,
}

/** As merchants see it in responses, queries and notifications. */
export function refundSums({ money }: Pick<Refund, 'money'>): {
  refundAmount: string
  refundCurrency: string
} {
  return { refundAmount: formatAmount(money.amount, money.currency), refundCurrency: money.currency }
}
