// Records the outcome of a return. If the money was returned, the order fails. If the channel declined, the operator decides
// again. For any other outcome the channel is asked again under the same reference.
//
// Invariant: the money leaves the review account once. An outcome of a return that is already recorded or given up changes
// nothing. Lock order: the order, then its review.

import type { RefundOutcome } from '../channels/contract.ts'
import { nextAskMs } from '../orders/ask-again.ts'
import type { AttemptedOrder } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
import { decideReturn, type Review, type ReviewKey, type ReviewState, stateOfOrder } from './review.ts'
import { lockReviewed, rejectReviewed } from './review-orders.ts'
import { lockReview, saveReview } from './sql.ts'

export type ReturnReport = ReviewKey & {
  /** The number of this return, from 1. */
  readonly returns: number
  readonly outcome: RefundOutcome
  readonly at: Date
}

export type RecordedReturn = { readonly state: ReviewState | undefined; readonly alarm?: string }

export function recordReturn(db: Db, report: ReturnReport): Promise<RecordedReturn> {
  return db.transaction(async (tx) => {
    const found = await lockReviewed(tx, report)
    // Another node has recorded it.
    if (found?.order === undefined) return { state: undefined }
    const review = await lockReview(tx, found.order)
    if (review.state !== 'returning' || review.returns !== report.returns) return { state: review.state }
    const { kind, alarm } = decideReturn(found.order.money, report.outcome)
    const after = steps[kind](found.order, review, report)
    if (kind === 'returned') await rejectReviewed(tx, found.order, review.note, report.at)
    await saveReview(tx, after)
    return { state: after.state, ...(alarm !== undefined && { alarm }) }
  })
}

type Step = (order: AttemptedOrder, review: Review, report: ReturnReport) => Review

const steps = {
  returned: (_order, review) => ({ ...review, state: 'rejected', askAt: undefined }),
  declined: (order, review, { outcome }) => ({
    ...review,
    state: stateOfOrder(order.state),
    note: `The channel did not return the money: ${'message' in outcome ? outcome.message : ''}`,
    decidedAt: undefined,
    askAt: undefined,
  }),
  waiting: (_order, review, { at }) => ({ ...review, askAt: nextAsk(review, at) }),
} as const satisfies Record<string, Step>

function nextAsk({ asks, decidedAt = new Date(0) }: Review, at: Date): Date {
  return new Date(at.getTime() + nextAskMs(asks, at.getTime() - decidedAt.getTime()))
}
