// The operator's decisions on payments in review. Each decision locks the order, then its review, and changes both in
// one transaction. After a rejection, the worker calls the channel, and the order fails once the money is returned.
import type { Clock } from '../../platform/base/clock.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { AttemptedOrder } from '../orders/order.ts'
import type { Rates } from '../rates/rates.ts'
import { keyOf, mayFollow, newReview, type Review, type ReviewState } from './review.ts'
import {
  approveReviewed,
  askMore,
  lockReviewed,
  type Picked,
  pickForReview,
  rejectReviewed,
} from './review-orders.ts'
import { lockReview, saveReview } from './sql.ts'

export type DecideDeps = { readonly db: Db; readonly clock: Clock }
export type ApproveDeps = DecideDeps & { readonly rates: Pick<Rates, 'find'> }

const refusals: Readonly<Record<Exclude<Picked, 'picked'>, string>> = {
  unknown: 'is not known',
  'reviewed anyway': 'is reviewed anyway',
  'not processing': 'does not wait for its payer any more: only a processing order can be picked',
  'not reviewable': 'was not made by a method whose payments are reviewed',
}

/** Picks an unpaid payment for review: once its money arrives, the payment waits in review. */
export function pickReview({ db, clock }: DecideDeps, tradeNo: string): Promise<void> {
  return db.transaction(async (tx) => {
    const key = keyOf(tradeNo)
    const picked = await pickForReview(tx, key, clock.now())
    if (picked !== 'picked') throw new OperatorRefusal(`order ${tradeNo} ${refusals[picked]}`)
    await saveReview(tx, newReview(key, 'picked'))
  })
}

export async function askReview({ db, clock }: DecideDeps, tradeNo: string, note: string): Promise<Review> {
  const text = readNote(note)
  return db.transaction(async (tx) => {
    const { order, review } = await lockFor(tx, tradeNo, 'asked')
    const askedAt = clock.now()
    await askMore(tx, order, text, askedAt)
    return save(tx, { ...review, state: 'asked', note: text, askedAt })
  })
}

export function approveReview({ db, clock, rates }: ApproveDeps, tradeNo: string): Promise<Review> {
  return db.transaction(async (tx) => {
    const { order, review } = await lockFor(tx, tradeNo, 'approved')
    const decidedAt = clock.now()
    await approveReviewed(tx, rates, order, decidedAt)
    return save(tx, { ...review, state: 'approved', decidedAt })
  })
}

export type Rejection = {
  /** The reason of the decision, which the merchant reads. */
  readonly note: string
  /** True if the operator has already returned the money in another way, without the channel. */
  readonly isReturned: boolean
}

export async function rejectReview(
  { db, clock }: DecideDeps,
  tradeNo: string,
  rejection: Rejection,
): Promise<Review> {
  const note = readNote(rejection.note)
  return db.transaction(async (tx) => {
    const state = rejection.isReturned ? 'rejected' : 'returning'
    const { order, review } = await lockFor(tx, tradeNo, state)
    const at = clock.now()
    const decided: Review = { ...review, state, note, decidedAt: at }
    if (state === 'returning')
      return save(tx, { ...decided, askAt: at, asks: 0, returns: review.returns + 1 })
    await rejectReviewed(tx, order, note, at)
    // The operator returned the money without the channel, so the channel's statements list no return.
    return save(tx, { ...decided, returns: 0 })
  })
}

async function save(tx: Tx, review: Review): Promise<Review> {
  await saveReview(tx, review)
  return review
}

/** Locks the order and its review and returns both. Throws if the review may not go to the wanted state. */
async function lockFor(
  tx: Tx,
  tradeNo: string,
  wanted: ReviewState,
): Promise<{ readonly order: AttemptedOrder; readonly review: Review }> {
  const found = await lockReviewed(tx, keyOf(tradeNo))
  if (found === undefined) throw new OperatorRefusal(`order ${tradeNo} is not known`)
  if (found.order === undefined) throw new OperatorRefusal(`order ${tradeNo} is not in review`)
  const review = await lockReview(tx, found.order)
  // While the channel returns the money, only the outcome of that return changes the review.
  const isTurn = review.state !== 'returning' && mayFollow(review.state, wanted)
  if (!isTurn) throw new OperatorRefusal(`the review of ${tradeNo} ${standing[review.state]}`)
  return { order: found.order, review }
}

const standing: Readonly<Record<ReviewState, string>> = {
  picked: 'waits for the payment',
  asked: 'waits for the merchant already',
  submitted: 'waits for your decision',
  returning: 'was rejected: the money is on its way back',
  approved: 'is over: it was approved',
  rejected: 'is over: it was rejected',
}

const NOTE_LENGTH = 255

function readNote(text: string): string {
  const note = text.trim()
  const length = [...note].length
  if (length >= 1 && length <= NOTE_LENGTH && !/\p{Cc}|\p{Cs}/u.test(note)) return note
  throw new OperatorRefusal(`a note has 1 to ${NOTE_LENGTH} characters, and no control characters`, 'note')
}
