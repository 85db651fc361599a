// A payment order: its states, what may follow what, and what each outcome of an attempt means for it. Pure rules.
import { convertDown, isBookable, type Money, type Rate, shareHalfUp } from '../base/money.ts'
import type { Failed, Outcome } from '../channels/contract.ts'
import { channelAccount, FEES, MARGIN, REVIEW, UNSETTLED } from '../ledger/account.ts'
import type { Entry } from '../ledger/post-entries.ts'
import { endingOf } from '../payments/ending.ts'

/** The states of the order list, by the numbers that merchants see. */
export const State = {
  /** Waits for the payer or the channel. */
  processing: 1,
  /** Paid and booked. */
  succeeded: 5,
  /** Declined, or the channel would not open it. */
  failed: 6,
  /** Cancelled by the payer, or expired: its message tells which (ending.ts). */
  cancelled: 7,
  /** The whole amount went back to the payer. */
  refunded: 9,
  /** A refund is under way. */
  refunding: 10,
  /** A chargeback was lost. */
  chargedBack: 11,
  /** A chargeback is open. */
  disputed: 12,
  /** A chargeback was lost after a refund. */
  chargedBackAfterRefund: 17,
  /** The operator asked the merchant for more information. */
  informationAsked: 24,
  /** The information came and is looked at. */
  inReview: 25,
} as const

export type StateNumber = (typeof State)[keyof typeof State]

const transitions: Readonly<Record<StateNumber, readonly StateNumber[]>> = {
  [State.processing]: [State.succeeded, State.failed, State.cancelled, State.informationAsked],
  // An operator who knows enough need not wait for the merchant.
  [State.informationAsked]: [State.inReview, State.succeeded, State.failed],
  [State.inReview]: [State.succeeded, State.failed, State.informationAsked],
  [State.succeeded]: [State.refunding, State.disputed],
  [State.refunding]: [State.succeeded, State.refunded, State.disputed],
  [State.refunded]: [State.disputed],
  [State.disputed]: [
    State.succeeded,
    State.refunding,
    State.refunded,
    State.chargedBack,
    State.chargedBackAfterRefund,
  ],
  // A refund that was under way when the chargeback was lost may still fail.
  [State.chargedBackAfterRefund]: [State.chargedBack],
  [State.chargedBack]: [],
  [State.failed]: [],
  // Money that came late, and was accepted.
  [State.cancelled]: [State.succeeded],
}

export function mayBecome(from: StateNumber, to: StateNumber): boolean {
  return transitions[from].includes(to)
}

export type AttemptState = 'calling' | 'pending' | 'unknown' | 'succeeded' | 'failed'

/** The terms as they were when the order was accepted. */
export type Terms = {
  readonly feeBps: number
  readonly feeFixed: bigint
  readonly marginBps: number
  readonly marginDays: number
  readonly settleDays: number
  readonly settleCurrency: string
  /** Undefined where the order settles in its own currency. */
  readonly settleRate: Rate | undefined
}

/** An order with the attempt under way, as it is locked before a decision. */
export type OpenOrder = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly state: StateNumber
  readonly version: number
  readonly message: string
  readonly notifyUrl: string
  readonly method: string
  readonly localDay: string
  readonly usdValue: bigint
  readonly platformLimited: boolean
  readonly timezone: string
  readonly terms: Terms
  /** Tries that the payer has. */
  readonly maxAttempts: number
  /** Its money waits for an operator's word before it counts as paid. */
  readonly needsReview: boolean
  /** What came so far by transfer, or at the success; 0 while nothing did. */
  readonly received: bigint
  readonly attempt: {
    readonly no: number
    readonly channel: string
    readonly state: AttemptState
    readonly asks: number
    readonly createdAt: Date
  }
}

/** What an outcome changes. */
export type Decision = {
  readonly attemptState: AttemptState
  readonly orderState: StateNumber
  readonly message: string
  /** What came so far; undefined: as it was. */
  readonly received?: bigint | undefined
  /** Set when it contradicts what was decided before, or echoes other money: people must look. */
  readonly alarm?: string | undefined
}

/** What the outcome alone does not tell. */
export type Circumstances = {
  /** All that came for this attempt and is not used yet, in the order's currency. */
  readonly arrived?: bigint
  /** The payer gave up this attempt to pay in another way. */
  readonly keepsOrder?: boolean | undefined
  /** The time that the attempt's payer had is over. */
  readonly isLate?: boolean
  /** Another channel is tried, if it was a matter of the channel. */
  readonly hasNext?: boolean
}

/**
 * The rule for one outcome. An attempt that was decided stays decided: a repeated outcome changes nothing, and a
 * contradicting one raises an alarm instead of moving money twice.
 */
export function decide(order: OpenOrder, outcome: Outcome, also: Circumstances = {}): Decision {
  const { attempt } = order
  if (isDecided(attempt.state)) return { ...unchanged(order), ...contradiction(attempt.state, outcome) }
  switch (outcome.kind) {
    case 'succeeded':
      if (outcome.money.amount !== order.money.amount || outcome.money.currency !== order.money.currency) {
        const alarm = 'the channel echoed another amount or currency than the order has'
        return { ...unchanged(order), attemptState: 'unknown', message: WAITING, alarm }
      }
      return paid(order, outcome.money.amount)
    case 'received':
      return decideReceived(order, also.arrived ?? 0n)
    case 'failed':
      return decideFailed(order, outcome, also)
    case 'pending':
      return { ...unchanged(order), attemptState: 'pending', message: 'Waiting for the payer' }
    case 'unknown':
      // A pending attempt stays pending: the payer may still act on what it carries.
      return attempt.state === 'pending'
        ? unchanged(order)
        : { ...unchanged(order), attemptState: 'unknown', message: WAITING }
  }
}

function unchanged({ attempt, state, message }: OpenOrder): Decision {
  return { attemptState: attempt.state, orderState: state, message }
}

export function isDecided(state: AttemptState): state is 'succeeded' | 'failed' {
  return state === 'succeeded' || state === 'failed'
}

function contradiction(state: 'succeeded' | 'failed', { kind }: Outcome): { alarm?: string } {
  if (kind !== 'succeeded' && kind !== 'failed') return {}
  return kind === state ? {} : { alarm: `was ${state}, the channel now says ${kind}` }
}

function paid(order: OpenOrder, received: bigint): Decision {
  const orderState = order.needsReview ? State.informationAsked : State.succeeded
  const message = order.needsReview ? 'More information is needed' : 'Payment succeeded'
  return { attemptState: 'succeeded', orderState, message, received }
}

function decideReceived(order: OpenOrder, received: bigint): Decision {
  if (received >= order.money.amount) return paid(order, received)
  const message = received > 0n ? 'Waiting for the rest of the amount' : 'Waiting for the payer'
  return { attemptState: 'pending', orderState: order.state, message, received }
}

function decideFailed(order: OpenOrder, { cause, message: why }: Failed, also: Circumstances): Decision {
  const hasTries = order.attempt.no < order.maxAttempts
  const isOpen =
    (also.hasNext === true && isTechnical(cause)) ||
    (hasTries && (cause !== 'cancelled' || also.keepsOrder === true))
  const ended = cause === 'cancelled' ? State.cancelled : State.failed
  const message = cause === 'cancelled' ? endingOf(order.attempt.state, also.isLate === true, why) : why
  // What had come for this attempt goes to suspense: for the next one nothing came yet.
  return { attemptState: 'failed', orderState: isOpen ? order.state : ended, message, received: 0n }
}

/** The channel's own trouble, before any payer was asked. */
export function isTechnical(cause: Failed['cause']): boolean {
  return cause === 'unreachable' || cause === 'refused'
}

const WAITING = "Waiting for the channel's answer"

export type Charges = {
  readonly handlingFee: bigint
  readonly processingFee: bigint
  readonly margin: bigint
  /** What is left for the merchant; below zero when the fees exceed the amount. */
  readonly remainder: bigint
  /** The remainder in the settlement currency, at the rate of this moment. */
  readonly settleAmount: bigint
  readonly settleRate: Rate | undefined
}

/** Whether it can be booked, converted where there is a rate. */
export function fitsBooks(money: Money, settleCurrency: string, rate: Rate | undefined): boolean {
  return isBookable(rate === undefined ? money.amount : convertDown(money, settleCurrency, rate).amount)
}

export function chargesOf({ amount, currency }: Money, terms: Terms, settleRate = terms.settleRate): Charges {
  const handlingFee = shareHalfUp(amount, terms.feeBps)
  const margin = shareHalfUp(amount, terms.marginBps)
  const remainder = amount - handlingFee - terms.feeFixed - margin
  const settleAmount =
    settleRate === undefined
      ? remainder
      : convertDown({ amount: remainder, currency }, terms.settleCurrency, settleRate).amount
  return { handlingFee, processingFee: terms.feeFixed, margin, remainder, settleAmount, settleRate }
}

/** A success books the amount from the channel to the merchant, then takes the fees and the margin from it. */
export function bookingsOf(order: OpenOrder, charges: Charges, at: Date): Entry[] {
  const { merNo, tradeNo: subject, money } = order
  const entry = (step: string, debit: string, credit: string, amount: bigint): Entry => {
    return { merNo, subject, step, debit, credit, money: { amount, currency: money.currency }, at }
  }
  return [
    entry('payment', channelAccount(order.attempt.channel), UNSETTLED, money.amount),
    entry('handling-fee', UNSETTLED, FEES, charges.handlingFee),
    entry('processing-fee', UNSETTLED, FEES, charges.processingFee),
    entry('margin', UNSETTLED, MARGIN, charges.margin),
  ]
}

/** Money that is reviewed before it counts as paid. */
export function heldForReview(order: OpenOrder, at: Date): Entry {
  const { merNo, tradeNo: subject, money } = order
  return {
    merNo,
    subject,
    step: 'review',
    debit: channelAccount(order.attempt.channel),
    credit: REVIEW,
    money,
    at,
  }
}

/** One reference for all retries of an attempt, told apart from the trade number, and telling it. */
export function attemptReference(tradeNo: string, attemptNo: number): string {
  return `A${tradeNo.slice(1)}${attemptNo}`
}

/** The attempt that a reference of ours stands for; undefined when it cannot be one. */
export function attemptOf(reference: string): { tradeNo: string; attemptNo: number } | undefined {
  const [, rest = '', attemptNo = ''] = /^A([0-9A-Z]{26})([1-9]\d?)$/.exec(reference) ?? []
  return rest === '' ? undefined : { tradeNo: `T${rest}`, attemptNo: Number(attemptNo) }
}

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** When to ask again about an unknown outcome: soon at first, then with patience, hourly once it is the operator's. */
export function nextAskMs(asks: number, ageMs: number): number {
  if (ageMs > 24 * HOUR_MS) return HOUR_MS
  return Math.min(2 ** Math.min(asks, 9), 300) * SECOND_MS
}

/** Beyond a channel's time-out, before a call counts as cut off. */
export const CALL_GRACE_MS = 4_000
