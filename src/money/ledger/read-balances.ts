import type { Queryable } from '../postgres/db.ts'
import { AVAILABLE, MARGIN, UNSETTLED } from './account.ts'
import {
  hasBalance,
  selectBalances,
  selectBalancesAt,
  selectBalancesNow,
  selectCurrencies,
} from './balance-sql.ts'

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

export type PastBalance = CurrencyBalance & { readonly margin: bigint }

/** The balances as they were after everything that was booked until then; without a moment, as they are now. */
export async function readBalancesAt(db: Queryable, merNo: number, moment?: Date): Promise<PastBalance[]> {
  const accounts = [AVAILABLE, UNSETTLED, MARGIN]
  const rows =
    moment === undefined
      ? await selectBalancesNow(db, merNo, accounts)
      : await selectBalancesAt(db, merNo, moment, accounts)
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  return [...byCurrency].map(([currency, sums]) => {
    const of = (wanted: string) => BigInt(sums.find(({ account }) => account === wanted)?.amount ?? 0)
    return { currency, available: of(AVAILABLE), unsettled: of(UNSETTLED), margin: of(MARGIN) }
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
