import { merNoOf } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { type Movement, type MovementPeriod, toMovement } from '../../rails/contract/statement.ts'
import { type FoundPayment, findPayment } from '../order-queries/find-payment.ts'
import { countInReview, listInReview } from '../order-queries/list-in-review.ts'
import { State } from '../orders/order.ts'
import {
  fileContext,
  type Info,
  keyOf,
  newReview,
  openInfo,
  type Review,
  type ReviewFile,
  type ReviewState,
  returnKeyOf,
  returnReference,
  stateOfOrder,
} from './review.ts'
import {
  countReturning,
  type ReturnRow,
  readReturned,
  selectFile,
  selectFiles,
  selectReturns,
  selectReview,
  selectReviews,
} from './sql.ts'

export type ListedReview = Awaited<ReturnType<typeof listInReview>>[number] & {
  readonly review: ReviewState
}

/** Returns open reviews of one merchant or of all merchants. The review that has waited longest comes first. */
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

export async function findReview(db: Queryable, vault: Vault, tradeNo: string): Promise<FoundReview> {
  const key = keyOf(tradeNo)
  const order = await findPayment(db, key)
  if (order === undefined) throw new OperatorRefusal(`order ${tradeNo} is not known`)
  const review = await reviewOf(db, order)
  if (review === undefined) throw new OperatorRefusal(`order ${tradeNo} is not in review`)
  return { order, review, info: openInfo(vault, review), files: await selectFiles(db, key) }
}

/** Returns the review of an order, with its information still encrypted. Undefined for an order without a review. */
export async function reviewOf(db: Queryable, order: FoundPayment): Promise<Review | undefined> {
  const isAsked = order.state === State.informationAsked
  const known = await selectReview(db, order)
  if (known === undefined) return isAsked ? newReview(order, 'asked') : undefined
  return known.state === 'picked' && isAsked ? { ...known, state: 'asked' } : known
}

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

type ReviewCounts = {
  readonly open: number
  readonly submitted: number
  /** The time since which the oldest submitted review has been waiting. */
  readonly submittedSince: Date | null
  readonly returning: number
}

export async function countReviews(db: Queryable): Promise<ReviewCounts> {
  const { asked, submitted, submittedSince } = await countInReview(db)
  return { open: asked + submitted, submitted, submittedSince, returning: await countReturning(db) }
}

/** Finds the returns with these references. References without a return are skipped. */
export async function findReturnMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap((reference) => returnKeyOf(reference) ?? [])
  return keys.length === 0 ? [] : (await selectReturns(db, keys)).map(toReturnMovement)
}

export async function* doneReturns(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readReturned(tx, period)) yield rows.map(toReturnMovement)
}

function toReturnMovement(row: ReturnRow): Movement {
  return toMovement(row, returnReference(row.trade_no, row.returns))
}
