// Pure rules: a review's states and transitions, the effect of each outcome of a return, and the information and files
// that a merchant submits.
import { merNoOf } from '../../platform/base/id.ts'
import { isSameMoney, type Money } from '../../platform/base/money.ts'
import { isObject } from '../../platform/base/object.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { RefundOutcome } from '../../rails/contract/channel.ts'
import { type OrderKey, State, type StateNumber } from '../orders/order.ts'

export type ReviewState = keyof typeof transitions

const transitions = {
  /** An operator picked the payment before its money arrived. */
  picked: ['asked'],
  /** The merchant must send information. */
  asked: ['submitted', 'approved', 'returning', 'rejected'],
  /** The merchant sent information. The operator must decide. */
  submitted: ['asked', 'approved', 'returning', 'rejected'],
  /**
   * The operator rejected the payment. The channel returns the money. If the return fails, the operator decides again.
   */
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
  /** The operator's latest note. */
  readonly note: string
  /** The merchant's encrypted information. Undefined until the merchant sends it. */
  readonly sealed: Buffer | undefined
  readonly askedAt: Date | undefined
  readonly submittedAt: Date | undefined
  readonly decidedAt: Date | undefined
  /** The time of the next call to the channel. Set while the money is being returned. */
  readonly askAt: Date | undefined
  readonly asks: number
  /** The number of returns so far, or 0 if the operator returned the money in another way. */
  readonly returns: number
}

export function keyOf(tradeNo: string): OrderKey {
  const merNo = tradeNo.startsWith('T') ? merNoOf(tradeNo) : undefined
  if (merNo === undefined) throw new OperatorRefusal(`order ${tradeNo} is not known`)
  return { merNo, tradeNo }
}

/** Returns a new review, which is not stored yet. */
export function newReview({ merNo, tradeNo }: OrderKey, state: 'picked' | 'asked'): Review {
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

/**
 * Returns the review's state, read from the state of its order, because the stored review may be out of date: a payment
 * in state 24 because of its amount has no review row, and the row of a picked payment may still be in state `picked`.
 */
export function stateOfOrder(state: StateNumber): 'asked' | 'submitted' {
  return state === State.inReview ? 'submitted' : 'asked'
}

export const MOST_FILES = 6

/**
 * Returns our reference of one return. Each rejection has a new reference, because the channel would decline a
 * reference again that it has already declined.
 */
export function returnReference(tradeNo: string, returns: number): string {
  return `V${tradeNo.slice(1)}${returns}`
}

/** Returns the order and the number of the return. Undefined for any other reference. */
export function returnOf(reference: string): { tradeNo: string; returns: number } | undefined {
  const [, rest = '', returns = ''] = /^V([0-9A-Z]{26})([1-9]\d*)$/.exec(reference) ?? []
  return rest === '' ? undefined : { tradeNo: `T${rest}`, returns: Number(returns) }
}

export type ReturnKey = OrderKey & {
  /** The number of the return, from 1. */
  readonly returns: number
}
export function returnKeyOf(reference: string): ReturnKey | undefined {
  const found = returnOf(reference)
  const merNo = found && merNoOf(found.tradeNo)
  return found === undefined || merNo === undefined ? undefined : { merNo, ...found }
}

type ReturnDecision = {
  readonly kind: 'returned' | 'came back' | 'declined' | 'waiting'
  /** The reason why an operator must check the return. */
  readonly alarm?: string
}

export function decideReturn(sent: Money, outcome: RefundOutcome): ReturnDecision {
  switch (outcome.kind) {
    case 'succeeded':
      return isSameMoney(outcome.money, sent)
        ? { kind: 'returned' }
        : { kind: 'waiting', alarm: 'the channel returned another amount or currency of a rejected payment' }
    case 'returned':
      // The payment can be approved, or returned again, only if the whole amount came back.
      return outcome.money === undefined || isSameMoney(outcome.money, sent)
        ? notReturned(outcome)
        : { kind: 'came back' }
    case 'failed':
      return notReturned(outcome)
    case 'pending':
    case 'unknown':
      return { kind: 'waiting' }
  }
}

function notReturned({ message }: { readonly message: string }): ReturnDecision {
  return { kind: 'declined', alarm: `the money of a rejected payment was not returned: ${message}` }
}

type LateReport = 'came back' | 'contradicts' | 'not made' | 'nothing new'

/**
 * Decides what a report means for a return that is no longer under way. The money of a return that succeeded may come
 * back later. Everything else is final: a report that contradicts the record raises an alarm and moves no money. After
 * a return that the channel declined, we still hold the whole amount, so a report that another amount came back is a
 * contradiction.
 */
export function judgeLate(review: Review, returns: number, sent: Money, outcome: RefundOutcome): LateReport {
  const { kind } = outcome
  const isOver = review.state === 'rejected'
  // If an operator returned the money in another way, all earlier returns are given up, and `returns` is 0.
  const isMade = returns <= review.returns || (isOver && review.returns === 0)
  if (!isMade) return 'not made'
  if (isOver && returns === review.returns)
    return kind === 'returned' ? 'came back' : contradiction(kind, 'failed')
  if (kind === 'returned' && outcome.money !== undefined && !isSameMoney(outcome.money, sent))
    return 'contradicts'
  return contradiction(kind, 'succeeded')
}

function contradiction(kind: RefundOutcome['kind'], opposite: 'succeeded' | 'failed'): LateReport {
  return kind === opposite ? 'contradicts' : 'nothing new'
}

// Files of the merchant. The type is read from the content, and the suffix must agree with the type.

export const MOST_FILE_BYTES = 2 * 1024 * 1024

/** The first bytes of each file type. */
const beginnings = {
  '.pdf': Buffer.from('%PDF-'),
  '.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  '.jpg': Buffer.from('ffd8ff', 'hex'),
} as const

export type Suffix = keyof typeof beginnings

export function isSuffix(text: string): text is Suffix {
  return Object.hasOwn(beginnings, text)
}

/** Returns the suffix of the content's file type. Undefined for other types. */
export function suffixOf(content: Buffer): Suffix | undefined {
  return Object.keys(beginnings)
    .filter(isSuffix)
    .find((suffix) => content.subarray(0, beginnings[suffix].length).equals(beginnings[suffix]))
}

/** The record of a file. The encrypted content is read separately. */
export type ReviewFile = {
  readonly merNo: number
  readonly fileId: string
  /** The order for which the file was submitted. Undefined, like `proves`, until the file is submitted. */
  readonly tradeNo: string | undefined
  readonly proves: string | undefined
  readonly suffix: Suffix
  readonly bytes: number
  readonly sha256: string
  readonly uploadedAt: Date
}

/**
 * Returns the encryption context. The context binds the content to its row, so that a copy in another row cannot be
 * decrypted.
 */
export function fileContext({ merNo, fileId }: Pick<ReviewFile, 'merNo' | 'fileId'>): string {
  return `review-file:${merNo}:${fileId}`
}

// The merchant's information about payer and business is personal, so it is stored encrypted and bound to its order.

export type Info = Readonly<Record<string, string>>

function contextOf({ merNo, tradeNo }: Pick<Review, 'merNo' | 'tradeNo'>): string {
  return `review:${merNo}:${tradeNo}`
}

export function sealInfo(vault: Vault, review: Pick<Review, 'merNo' | 'tradeNo'>, info: Info): Buffer {
  return vault.seal(JSON.stringify(info), contextOf(review))
}

export function openInfo(vault: Vault, review: Pick<Review, 'merNo' | 'tradeNo' | 'sealed'>): Info {
  if (review.sealed === undefined) return {}
  const info: unknown = JSON.parse(vault.open(review.sealed, contextOf(review)))
  if (!isObject(info)) throw new Error('the information of a review must be an object')
  return Object.fromEntries(Object.entries(info).map(([type, text]) => [type, String(text)]))
}
