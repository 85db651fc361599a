import type { Queryable, Tx } from '../postgres/db.ts'

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
      from unnest($1::text[], $2::text[]) as given (from_currency, to_currency)
      where exists (
        select from rates where not rates.derived
        and rates.from_currency = given.from_currency and rates.to_currency = given.to_currency)`,
    values: [pairs.map((pair) => pair.from_currency), pairs.map((pair) => pair.to_currency)],
  })
}

/** Old rates stay as history. A rate with the same time replaces the old one, but a derived rate never replaces a set one. */

export async function insertRates(
  tx: Tx,
  rows: readonly RateRow[],
  validFrom: Date,
  origin: 'set' | 'derived',
): Promise<void> {
  await tx.query({
    text: `insert into rates (from_currency, to_currency, rate, valid_from, derived)
      select from_currency, to_currency, rate, $4::timestamptz, $5::boolean
      from unnest($1::text[], $2::text[], $3::numeric[]) as given (from_currency, to_currency, rate)
      on conflict (from_currency, to_currency, valid_from) do update
      set rate = excluded.rate, derived = excluded.derived where rates.derived or not excluded.derived`,
    values: [
      rows.map((row) => row.from_currency),
      rows.map((row) => row.to_currency),
      rows.map((row) => row.rate),
      validFrom,
      origin === 'derived',
    ],
  })
}

/** Every node is notified when the transaction commits. */
export async function announceRates(tx: Tx): Promise<void> {
  await tx.query({ text: `select pg_notify('rates', 'changed')` })
}
