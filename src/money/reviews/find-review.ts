// Reviews as operators see them.

import { merNoOf } from '../base/id.ts'
import type { Vault } from '../base/secret.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { type FoundPayment, findPayment } from '../order-queries/find-payment.ts'
import { countInReview, listInReview } from '../order-queries/list-in-review.ts'
import { State } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import { fileContext, type ReviewFile } from './file.ts'
import { type Info, openInfo } from './info.ts'
import { keyOf, newReview, type Review, type ReviewState, stateOfOrder } from './review.ts'
import { countReturning, selectFile, selectFiles, selectReview, selectReviews } from './sql.ts'

export type ListedReview = Awaited<ReturnType<typeof listInReview>>[number] & {
  readonly review: ReviewState
}

/** Open reviews, by the time in their order's state, longest first; of one merchant, or of all. */
export async function listReviews(db: Queryable, limit: number, merNo?: number): Promise<ListedReview[]> {
  const orders = await listInReview(db, limit, merNo)
  const reviews = await selectReviews(db, orders)
  return orders.map((order) => {
    const isReturning = reviews.get(order.tradeNo)?.state === 'returning'
    return { ...order, review: isReturning ? 'returning' : stateOfOrder(order.state) }
  })
}

export type FoundReview = {
  readonly order: FoundPayment
  readonly review: Review
  readonly info: Info
  readonly files: readonly ReviewFile[]
}

/** One review with the merchant's information and files. */
export async function findReview(db: Queryable, vault: Vault, tradeNo: string): Promise<FoundReview> {
  const key = keyOf(tradeNo)
  const order = await findPayment(db, key)
  if (order === undefined) throw new OperatorRefusal(`order ${tradeNo} is not known`)
  const review = await reviewOf(db, order)
  if (review === undefined) throw new OperatorRefusal(`order ${tradeNo} is not in review`)
  return { order, review, info: openInfo(vault, review), files: await selectFiles(db, key) }
}

/** The review of this order, still sealed; undefined if it was never reviewed. */
export async function reviewOf(db: Queryable, order: FoundPayment): Promise<Review | undefined> {
  const isAsked = order.state === State.informationAsked
  const known = await selectReview(db, order)
  if (known === undefined) return isAsked ? newReview(order, 'asked') : undefined
  return known.state === 'picked' && isAsked ? { ...known, state: 'asked' } : known
}

/** A file with its content, for an operator to download. */
export async function openFile(
  db: Queryable,
  vault: Vault,
  fileId: string,
): Promise<{ readonly file: ReviewFile; readonly content: Buffer }> {
  const merNo = fileId.startsWith('F') ? merNoOf(fileId) : undefined
  const found = merNo === undefined ? undefined : await selectFile(db, merNo, fileId)
  if (found === undefined) throw new OperatorRefusal(`there is no file ${fileId}`)
  return { file: found.file, content: vault.openBytes(found.sealed, fileContext(found.file)) }
}

export type ReviewCounts = {
  readonly open: number
  readonly submitted: number
  /** Since when the oldest submitted one waits. */
  readonly submittedSince: Date | null
  readonly returning: number
}

/** Counts open reviews, those that have the merchant's information, and those whose money is being returned. */
export async function countReviews(db: Queryable): Promise<ReviewCounts> {
  const { asked, submitted, submittedSince } = await countInReview(db)
  return { open: asked + submitted, submitted, submittedSince, returning: await countReturning(db) }
}
