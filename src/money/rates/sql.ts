import type { Queryable, Tx } from '../postgres/db.ts'
import { listOf, numeric, text } from '../postgres/lists.ts'

export type RateRow = {
  readonly from_currency: string
  readonly to_currency: string
  /** A decimal with up to twelve digits after the point. */
  readonly rate: string
}

export type Pair = Omit<RateRow, 'rate'>

/** Every pair's rate at `now`: the latest rate that was set, or the latest derived one if none was set. */
export async function selectRates(db: Queryable, now: Date): Promise<RateRow[]> {
  return db.query<RateRow>({
    name: 'select_rates',
    text: `select distinct on (from_currency, to_currency) from_currency, to_currency, rate
      from rates where valid_from <= $1 order by from_currency, to_currency, derived, valid_from desc`,
    values: [now],
  })
}

/** The pairs that an operator ever set, also for a future time. */
export async function selectPairsSet(tx: Tx, pairs: readonly Pair[]): Promise<Pair[]> {
  return tx.query<Pair>({
    text: `select from_currency, to_currency
      from ${paired.text}
      where exists (
        select from rates where not rates.derived
        and rates.from_currency = g.from_currency and rates.to_currency = g.to_currency)`,
    values: paired.values(pairs),
  })
}

const paired = listOf<Pair>({
  from_currency: text((one) => one.from_currency),
  to_currency: text((one) => one.to_currency),
})

/**
 * Old rates stay for the record; of two of the same instant the last counts, but a derived one never replaces one that
 * was set.
 */
export async function insertRates(
  tx: Tx,
  rows: readonly RateRow[],
  validFrom: Date,
  origin: 'set' | 'derived',
): Promise<void> {
  await tx.query({
    text: `insert into rates (from_currency, to_currency, rate, valid_from, derived)
      select from_currency, to_currency, rate, $4::timestamptz, $5::boolean
      from ${rated.text}
      on conflict (from_currency, to_currency, valid_from) do update
      set rate = excluded.rate, derived = excluded.derived where rates.derived or not excluded.derived`,
    values: [...rated.values(rows), validFrom, origin === 'derived'],
  })
}

const rated = listOf<RateRow>({
  from_currency: text((one) => one.from_currency),
  to_currency: text((one) => one.to_currency),
  rate: numeric((one) => one.rate),
})

/** Every node receives this when the transaction commits. */
export async function announceRates(tx: Tx): Promise<void> {
  await tx.query({ text: `select pg_notify('rates', 'changed')` })
}

export type ListedRateRow = RateRow & { readonly valid_from: Date; readonly derived: boolean }

/** As `selectRates`, with when and how each was set. */
export async function selectListedRates(db: Queryable, now: Date): Promise<ListedRateRow[]> {
  return await db.query<ListedRateRow>({
    text: `select distinct on (from_currency, to_currency) from_currency, to_currency, rate, valid_from, derived
      from rates where valid_from <= $1 order by from_currency, to_currency, derived, valid_from desc`,
    values: [now],
  })
}

/** Those that begin later, soonest first. */
export async function selectComingRates(db: Queryable, now: Date, limit: number): Promise<ListedRateRow[]> {
  return await db.query<ListedRateRow>({
    text: `select from_currency, to_currency, rate, valid_from, derived from rates
      where valid_from > $1 order by valid_from, from_currency, to_currency limit $2`,
    values: [now, limit],
  })
}

export async function selectRateHistory(
  db: Queryable,
  from: string,
  to: string,
  limit: number,
): Promise<ListedRateRow[]> {
  return await db.query<ListedRateRow>({
    text: `select from_currency, to_currency, rate, valid_from, derived from rates
      where from_currency = $1 and to_currency = $2 order by valid_from desc limit $3`,
    values: [from, to, limit],
  })
}
