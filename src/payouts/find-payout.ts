import { State } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import { selectByOrderNumber, selectByTrade } from './find-sql.ts'
import type { FoundPayout } from './found-payout.ts'

/** By trade number, order number, or both, which must then belong to the same payout. */
export type PayoutLookup = { readonly merNo: number; readonly tradeNo?: string; readonly merOrderNo?: string }

export async function findPayout(db: Queryable, key: PayoutLookup): Promise<FoundPayout | undefined> {
  const { merNo, tradeNo, merOrderNo } = key
  const found =
    tradeNo === undefined
      ? await selectByOrderNumber(db, merNo, merOrderNo)
      : await selectByTrade(db, merNo, tradeNo)
  return merOrderNo === undefined || merOrderNo === found?.merOrderNo ? found : undefined
}

/** By our number or by the merchant's. */
export async function findNumberedPayout(
  db: Queryable,
  merNo: number,
  number: string,
): Promise<FoundPayout | undefined> {
  return (await findPayout(db, { merNo, tradeNo: number })) ?? findPayout(db, { merNo, merOrderNo: number })
}

/** The amount that reached the beneficiary. */
export function receivedOf({ orderState, money }: FoundPayout): bigint {
  return orderState === State.succeeded ? money.amount : 0n
}
