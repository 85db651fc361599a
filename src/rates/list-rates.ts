import type { Queryable } from '../postgres/db.ts'
import { type ListedRateRow, selectComingRates, selectListedRates, selectRateHistory } from './sql.ts'

export type ListedRate = {
  readonly from: string
  readonly to: string
  readonly rate: string
  readonly validFrom: Date
  readonly isDerived: boolean
}

/** What is shown of a pair's past and future. */
const HISTORY_ROWS = 200

/** Every pair's rate at that time. */
export async function listRates(db: Queryable, now: Date): Promise<ListedRate[]> {
  return (await selectListedRates(db, now)).map(toRate)
}

/** What is shown of all pairs' future. */
const COMING_ROWS = 500

/** Those that begin after that time, soonest first. */
export async function listComingRates(db: Queryable, now: Date): Promise<ListedRate[]> {
  return (await selectComingRates(db, now, COMING_ROWS)).map(toRate)
}

/** Newest first, rates of the future included. */
export async function rateHistory(db: Queryable, from: string, to: string): Promise<ListedRate[]> {
  return (await selectRateHistory(db, from, to, HISTORY_ROWS)).map(toRate)
}

function toRate(row: ListedRateRow): ListedRate {
  const { from_currency: from, to_currency: to, rate, valid_from: validFrom, derived: isDerived } = row
  return { from, to, rate, validFrom, isDerived }
}
