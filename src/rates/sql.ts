import type { Queryable, Tx } from '../base/db.ts'

export type RateRow = {
  readonly from_currency: string
  readonly to_currency: string
  /** A decimal of up to twelve places. */
  readonly rate: string
}

/** The rate of every pair that is in force at `now`. */
export async function selectRates(db: Queryable, now: Date): Promise<RateRow[]> {
  return db.query<RateRow>({
    name: 'select_rates',
    text: `select distinct on (from_currency, to_currency) from_currency, to_currency, rate
      from rates where valid_from <= $1 order by from_currency, to_currency, valid_from desc`,
    values: [now],
  })
}

/** Old rates stay for the record; of two of the same instant the last counts. */
export async function insertRates(tx: Tx, rows: readonly RateRow[], validFrom: Date): Promise<void> {
  await tx.query({
    text: `insert into rates (from_currency, to_currency, rate, valid_from)
      select from_currency, to_currency, rate, $4::timestamptz
      from unnest($1::text[], $2::text[], $3::numeric[]) as given (from_currency, to_currency, rate)
      on conflict (from_currency, to_currency, valid_from) do update set rate = excluded.rate`,
    values: [
      rows.map((row) => row.from_currency),
      rows.map((row) => row.to_currency),
      rows.map((row) => row.rate),
      validFrom,
    ],
  })
}

/** Heard by every node once the transaction commits. */
export async function announceRates(tx: Tx): Promise<void> {
  await tx.query({ text: `select pg_notify('rates', 'changed')` })
}
