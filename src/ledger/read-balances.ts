import type { Queryable } from '../postgres/db.ts'
import { AVAILABLE, UNSETTLED } from './account.ts'
import { hasBalance, selectBalances, selectCurrencies } from './balance-sql.ts'

/** Credits less debits, in minor units. */
export type CurrencyBalance = {
  readonly currency: string
  readonly available: bigint
  readonly unsettled: bigint
}

/** The merchant's balances in each currency that it ever had money in, by currency. */
export async function readBalances(db: Queryable, merNo: number): Promise<CurrencyBalance[]> {
  const rows = await selectBalances(db, merNo, AVAILABLE, UNSETTLED)
  return rows.map(({ currency, available, unsettled }) => {
    return { currency, available: BigInt(available), unsettled: BigInt(unsettled) }
  })
}

/** The currencies that the merchant ever had money in. */
export function bookedCurrencies(db: Queryable, merNo: number): Promise<string[]> {
  return selectCurrencies(db, merNo, AVAILABLE, UNSETTLED)
}

/** Whether anything was ever booked on the account, for any merchant. */
export function wasBookedOn(db: Queryable, account: string): Promise<boolean> {
  return hasBalance(db, account)
}
