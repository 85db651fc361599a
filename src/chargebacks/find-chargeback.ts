import type { ChargebackState } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import type { Chargeback } from './chargeback.ts'
import {
  type ListedChargeback,
  selectChargebacks,
  selectLatest,
  selectOfOrder,
  selectOpenCount,
} from './sql.ts'

/** The latest chargeback of an order. */
export function findChargeback(
  db: Queryable,
  merNo: number,
  tradeNo: string,
): Promise<Chargeback | undefined> {
  return selectLatest(db, merNo, tradeNo)
}

/** All chargebacks of an order, oldest first. */
export function chargebacksOf(db: Queryable, merNo: number, tradeNo: string): Promise<Chargeback[]> {
  return selectOfOrder(db, merNo, tradeNo, MOST_LISTED)
}

const MOST_LISTED = 500

/** Newest first. */
export function listChargebacks(db: Queryable, state?: ChargebackState): Promise<ListedChargeback[]> {
  return selectChargebacks(db, state ?? null, MOST_LISTED)
}

export function countOpenChargebacks(db: Queryable): Promise<number> {
  return selectOpenCount(db)
}
