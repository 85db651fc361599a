import type { Queryable } from '../postgres/db.ts'
import { selectRates } from './sql.ts'

/** The currencies without a rate to the US dollar: payments in them are refused. */
export async function currenciesWithoutRate(
  db: Queryable,
  currencies: readonly string[],
  now: Date,
): Promise<string[]> {
  const rates = await selectRates(db, now)
  const known = new Set(rates.filter((row) => row.to_currency === 'USD').map((row) => row.from_currency))
  return currencies.filter((currency) => currency !== 'USD' && !known.has(currency))
}
