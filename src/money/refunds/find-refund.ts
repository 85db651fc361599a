import { merNoOf } from '../base/id.ts'
import type { Queryable } from '../postgres/db.ts'
import type { Refund } from './refund.ts'
import {
  type DatedRefund,
  type RefundPage,
  selectByMerchantsNumber,
  selectByNumber,
  selectOfOrder,
  selectPage,
  selectWaiting,
} from './sql.ts'

/** By our number, the merchant's number, or both, which must then belong to the same refund. */
export type RefundQuery = {
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

/** A refund number contains its merchant. */
export async function findByNumber(db: Queryable, refundNo: string): Promise<Refund | undefined> {
  const merNo = merNoOf(refundNo)
  return merNo === undefined ? undefined : selectByNumber(db, merNo, refundNo)
}

/** The refunds of an order, oldest first, each with the moment of its decision. */
export function refundsOf(db: Queryable, merNo: number, tradeNo: string): Promise<DatedRefund[]> {
  return selectOfOrder(db, merNo, tradeNo, MOST_LISTED)
}

const MOST_LISTED = 500

/** Of one merchant, newest first. */
export function pageRefunds(db: Queryable, page: RefundPage): Promise<DatedRefund[]> {
  return selectPage(db, page)
}

/** Refunds that wait for an operator, oldest first; of one merchant, or of all. */
export function listWaiting(db: Queryable, merNo?: number): Promise<Refund[]> {
  return selectWaiting(db, merNo, MOST_LISTED)
}
