import type { Clock } from '../../platform/base/clock.ts'
import { timeOf } from '../../platform/base/id.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { AVAILABLE, MARGIN, UNSETTLED } from './account.ts'
import {
  hasBalance,
  selectBalances,
  selectBalancesAt,
  selectBalancesNow,
  selectCurrencies,
  selectOldestDelta,
} from './balance-sql.ts'
import { type RailDebit, type SubjectKey, selectRailDebits } from './sql.ts'

/** The balances of a merchant in one currency: credits less debits, in minor units. */
export type CurrencyBalance = {
  readonly currency: string
  readonly available: bigint
  readonly unsettled: bigint
}

/** Returns the balances in each currency ever booked on the available or unsettled account, in alphabetical order. */
export async function readBalances(db: Queryable, merNo: number): Promise<CurrencyBalance[]> {
  const rows = await selectBalances(db, merNo, AVAILABLE, UNSETTLED)
  return rows.map(({ currency, available, unsettled }) => {
    return { currency, available: BigInt(available), unsettled: BigInt(unsettled) }
  })
}

type PastBalance = CurrencyBalance & { readonly margin: bigint }

/** Returns the balances after all bookings up to `moment`. If `moment` is undefined, returns the current balances. */
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

/** Returns the currencies that were ever booked on the merchant's available or unsettled account. */
export function bookedCurrencies(db: Queryable, merNo: number): Promise<string[]> {
  return selectCurrencies(db, merNo, AVAILABLE, UNSETTLED)
}

export function wasBookedOn(db: Queryable, account: string): Promise<boolean> {
  return hasBalance(db, account)
}

/** Returns for how many seconds the oldest delta has waited to be folded. Undefined if no delta waits. */
export async function oldestDelta(db: Queryable, clock: Clock): Promise<number | undefined> {
  const deltaId = await selectOldestDelta(db)
  const madeAt = deltaId === undefined ? undefined : timeOf(deltaId)
  return madeAt && Math.max(0, (clock.now().getTime() - madeAt.getTime()) / 1000)
}

/** Returns the amounts that payments debited to their channels' accounts. */
export function railDebits(db: Queryable, subjects: readonly SubjectKey[]): Promise<RailDebit[]> {
  return subjects.length === 0 ? Promise.resolve([]) : selectRailDebits(db, subjects)
}
