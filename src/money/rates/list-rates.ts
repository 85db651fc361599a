import type { Queryable } from '../../platform/postgres/db.ts'
import { dollarValue, type Rates, readRate, sameCurrency } from './rates.ts'
import {
  type ListedRateRow,
  selectComingRates,
  selectHighestRates,
  selectRateHistory,
  selectRates,
} from './sql.ts'

export type ListedRate = {
  readonly from: string
  readonly to: string
  readonly rate: string
  readonly validFrom: Date
  readonly isDerived: boolean
}

/** The maximum number of rates in a pair's history, future rates included. */
const HISTORY_ROWS = 200

export async function listRates(db: Queryable, now: Date): Promise<ListedRate[]> {
  return (await selectRates(db, now)).map(toRate)
}

/** The maximum number of future rates, over all pairs. */
const COMING_ROWS = 500

/** Lists the rates of all pairs that begin after `now`, the soonest first. */
export async function listComingRates(db: Queryable, now: Date): Promise<ListedRate[]> {
  return (await selectComingRates(db, now, COMING_ROWS)).map(toRate)
}

export async function rateHistory(db: Queryable, from: string, to: string): Promise<ListedRate[]> {
  return (await selectRateHistory(db, from, to, HISTORY_ROWS)).map(toRate)
}

function toRate(row: ListedRateRow): ListedRate {
  const { from_currency: from, to_currency: to, rate, valid_from: validFrom, derived: isDerived } = row
  return { from, to, rate, validFrom, isDerived }
}

/** Returns the currencies without a rate to the US dollar. Payments in these currencies are refused. */
export async function currenciesWithoutRate(
  db: Queryable,
  currencies: readonly string[],
  now: Date,
): Promise<string[]> {
  const rates = await selectRates(db, now)
  const known = new Set(rates.filter((row) => row.to_currency === 'USD').map((row) => row.from_currency))
  return currencies.filter((currency) => currency !== 'USD' && !known.has(currency))
}

/**
 * Returns a function that values money in US cents, at the highest rate of its currency between `since` and `until`.
 */
export async function highestDollarValue(
  db: Queryable,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<Rates['usdValue']> {
  const rows = await selectHighestRates(db, 'USD', since, until)
  const rates = new Map(rows.map(({ from_currency: from, rate }) => [from, readRate(rate)]))
  return (money) => dollarValue(money, money.currency === 'USD' ? sameCurrency : rates.get(money.currency))
}
