// The review of a payment: its states, their transitions, and the effect of each outcome of a return. Pure rules.

import { merNoOf } from '../base/id.ts'
import type { Money } from '../base/money.ts'
import type { RefundOutcome } from '../channels/contract.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { OrderKey } from '../orders/order.ts'
import { State, type StateNumber } from '../orders/order.ts'

export type ReviewState = keyof typeof transitions

const transitions = {
  /** Picked by an operator before its money arrived. */
  picked: ['asked'],
  /** The merchant must send information. */
  asked: ['submitted', 'approved', 'returning', 'rejected'],
  /** The merchant sent information; the operator must decide. */
  submitted: ['asked', 'approved', 'returning', 'rejected'],
  /** The operator rejected it; the channel is sending the money back. If it declines, the operator decides again. */
  returning: ['rejected', 'asked', 'submitted'],
  /** The order succeeded. */
  approved: [],
  /** The payer has the money back, and the order failed. */
  rejected: [],
} as const satisfies Record<string, readonly string[]>

export const reviewStates = Object.keys(transitions).filter(
  (name): name is ReviewState => name in transitions,
)

export function mayFollow(from: ReviewState, to: ReviewState): boolean {
  const next: readonly string[] = transitions[from]
  return next.includes(to)
}

export type Review = {
  readonly merNo: number
  readonly tradeNo: string
  readonly state: ReviewState
  /** The operator's last note. */
  readonly note: string
  /** The merchant's information, encrypted; undefined until it is sent. */
  readonly sealed: Buffer | undefined
  readonly askedAt: Date | undefined
  readonly submittedAt: Date | undefined
  readonly decidedAt: Date | undefined
  /** When the channel is called next; set while the money is being returned. */
  readonly askAt: Date | undefined
  readonly asks: number
  /** The number of returns so far. */
  readonly returns: number
}

export type ReviewKey = OrderKey

/** A trade number contains its merchant. */
export function keyOf(tradeNo: string): ReviewKey {
  const merNo = tradeNo.startsWith('T') ? merNoOf(tradeNo) : undefined
  if (merNo === undefined) throw new OperatorRefusal(`order ${tradeNo} is not known`)
  return { merNo, tradeNo }
}

/** A review that has no row yet. */
export function newReview({ merNo, tradeNo }: ReviewKey, state: 'picked' | 'asked'): Review {
  return {
    merNo,
    tradeNo,
    state,
    note: '',
    sealed: undefined,
    askedAt: undefined,
    submittedAt: undefined,
    decidedAt: undefined,
    askAt: undefined,
    asks: 0,
    returns: 0,
  }
}

/** The review's state by its order's state. A payment that reached state 24 by its amount has no row, or a picked one. */
export function stateOfOrder(state: StateNumber): 'asked' | 'submitted' {
  return state === State.inReview ? 'submitted' : 'asked'
}

export const MOST_FILES = 6

/** Our reference of one return; it differs from those of payments and refunds. */
export function returnReference(tradeNo: string, returns: number): string {
  return `V${tradeNo.slice(1)}${returns}`
}

/** The return of a reference; undefined when the reference is not a return's. */
export function returnOf(reference: string): { tradeNo: string; returns: number } | undefined {
  const [, rest = '', returns = ''] = /^V([0-9A-Z]{26})([1-9]\d*)$/.exec(reference) ?? []
  return rest === '' ? undefined : { tradeNo: `T${rest}`, returns: Number(returns) }
}

export type ReturnKey = ReviewKey & {
  /** The number of the return, from 1. */
  readonly returns: number
}

/** A return's reference contains its merchant, as the trade number does. */
export function returnKeyOf(reference: string): ReturnKey | undefined {
  const found = returnOf(reference)
  const merNo = found && merNoOf(found.tradeNo)
  return found === undefined || merNo === undefined ? undefined : { merNo, ...found }
}

/** The effect of a channel's outcome on a return. */
export type ReturnDecision = {
  readonly kind: 'returned' | 'declined' | 'waiting'
  /** Set when an operator must check. */
  readonly alarm?: string
}

export function decideReturn(sent: Money, outcome: RefundOutcome): ReturnDecision {
  switch (outcome.kind) {
    case 'succeeded':
      return echoes(outcome.money, sent)
        ? { kind: 'returned' }
        : { kind: 'waiting', alarm: 'the channel returned another amount or currency of a rejected payment' }
    case 'failed':
    case 'returned':
      return {
        kind: 'declined',
        alarm: `the money of a rejected payment was not returned: ${outcome.message}`,
      }
    case 'pending':
    case 'unknown':
      return { kind: 'waiting' }
  }
}

/** What a report means whose return is not under way any more. */
export type LateReport = 'came back' | 'contradicts' | 'not made' | 'nothing new'

/**
 * The money of a return that succeeded may come back later. Everything else is final: a channel that says the opposite of what
 * is recorded has an operator check, and moves no money.
 */
export function judgeLate(review: Review, returns: number, { kind }: RefundOutcome): LateReport {
  const isOver = review.state === 'rejected'
  // An operator who returned the money in another way gave up all returns before; their number is not kept.
  const isMade = returns <= review.returns || (isOver && review.returns === 0)
  if (!isMade) return 'not made'
  if (isOver && returns === review.returns)
    return kind === 'returned' ? 'came back' : contradiction(kind, 'failed')
  return contradiction(kind, 'succeeded')
}

function contradiction(kind: RefundOutcome['kind'], opposite: 'succeeded' | 'failed'): LateReport {
  return kind === opposite ? 'contradicts' : 'nothing new'
}

function echoes(echoed: Money, { amount, currency }: Money): boolean {
  return echoed.amount === amount && echoed.currency === currency
}
