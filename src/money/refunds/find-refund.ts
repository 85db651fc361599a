// Finds, lists and counts refunds, for pages, queries and statements.
import { merNoOf } from '../../platform/base/id.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { type Movement, type MovementPeriod, toMovement } from '../../rails/contract/statement.ts'
import { type Refund, refundNoOf, refundReference } from './refund.ts'
import {
  type DatedRefund,
  type OpenCounts,
  type RefundKey,
  type RefundMovementRow,
  type RefundPage,
  readDone,
  selectByMerchantsNumber,
  selectByNumber,
  selectMovements,
  selectOfOrder,
  selectOpenCounts,
  selectPage,
  selectWaiting,
} from './sql.ts'

/**
 * The key of a refund: our number, the merchant's number, or both. If both are given, they must belong to the same
 * refund.
 */
type RefundQuery = {
  readonly merNo: number
  readonly refundNo?: string
  readonly merRefundNo?: string
}

export async function findRefund(db: Queryable, query: RefundQuery): Promise<Refund | undefined> {
  const { merNo, refundNo, merRefundNo } = query
  if (refundNo === undefined)
    return merRefundNo === undefined ? undefined : selectByMerchantsNumber(db, merNo, merRefundNo)
  const found = await selectByNumber(db, merNo, refundNo)
  return merRefundNo === undefined || found?.merRefundNo === merRefundNo ? found : undefined
}

/** Finds a refund of any merchant. The merchant number is read from the refund number. */
export async function findByNumber(db: Queryable, refundNo: string): Promise<Refund | undefined> {
  const merNo = merNoOf(refundNo)
  return merNo === undefined ? undefined : selectByNumber(db, merNo, refundNo)
}

/** Returns the refunds of an order, oldest first, each with the time of its decision. */
export function refundsOf(db: Queryable, merNo: number, tradeNo: string): Promise<DatedRefund[]> {
  return selectOfOrder(db, merNo, tradeNo, MOST_LISTED)
}

const MOST_LISTED = 500

/** Returns one page of the refunds of one merchant or of all merchants, newest first. */
export function pageRefunds(db: Queryable, page: RefundPage): Promise<DatedRefund[]> {
  return selectPage(db, page)
}

/** Returns refunds that wait for approval, of one merchant or of all merchants, oldest first. */
export function listWaiting(db: Queryable, merNo?: number): Promise<Refund[]> {
  return selectWaiting(db, merNo, MOST_LISTED)
}

/** Returns the refunds with these references. References without a refund are skipped. */
export async function findRefundMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap(keyOf)
  return keys.length === 0 ? [] : (await selectMovements(db, keys)).map(toRefundMovement)
}

export async function* doneRefunds(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readDone(tx, period)) yield rows.map(toRefundMovement)
}

function keyOf(reference: string): RefundKey[] {
  const refundNo = refundNoOf(reference)
  const merNo = merNoOf(refundNo ?? '')
  return refundNo === undefined || merNo === undefined ? [] : [{ merNo, refundNo }]
}

function toRefundMovement(row: RefundMovementRow): Movement {
  return toMovement(row, refundReference(row.refund_no))
}

/** Counts the refunds that wait for their channel and the refunds that wait for approval. */
export function countOpenRefunds(db: Queryable): Promise<OpenCounts> {
  return selectOpenCounts(db)
}
