import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { listOf, numeric, text } from '../../platform/postgres/lists.ts'

export type RateRow = {
  readonly from_currency: string
  readonly to_currency: string
  /** A decimal with up to twelve digits after the point. */
  readonly rate: string
}

export type ListedRateRow = RateRow & { readonly valid_from: Date; readonly derived: boolean }

export type Pair = Omit<RateRow, 'rate'>

/**
 * Selects the rate in force at `now` for every pair: the latest rate that an operator set, or else the latest derived
 * rate.
 */
export function selectRates(db: Queryable, now: Date): Promise<ListedRateRow[]> {
  return db.query<ListedRateRow>({
    name: 'select_rates',
    text: `select distinct on (from_currency, to_currency) from_currency, to_currency, rate, valid_from, derived
      from rates where valid_from <= $1 order by from_currency, to_currency, derived, valid_from desc`,
    values: [now],
  })
}

/** Selects the pairs for which an operator ever set a rate, even one that begins in the future. */
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
 * Inserts rates. Earlier rates are kept as a record. A rate replaces a rate of the same pair and time, but a derived
 * rate never replaces a rate that an operator set.
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

/**
 * Locks the rates against other changes. If two transactions set the two directions of a pair at the same time, the
 * second transaction waits and compares its rate with the rate that the first transaction set.
 */
export async function lockRates(tx: Tx): Promise<void> {
  await tx.query({ text: 'lock table rates in share row exclusive mode' })
}

export type MismatchRow = RateRow & { readonly opposite: string; readonly product: string }

/**
 * Selects the first pair whose rate and opposite rate have a product above 1 or below `least`, at any time while the
 * pair's rate of `validFrom` is in force.
 */
export async function selectMismatch(
  tx: Tx,
  pairs: readonly Pair[],
  validFrom: Date,
  least: string,
): Promise<MismatchRow | undefined> {
  const [row] = await tx.query<MismatchRow>({
    text: `
      select g.from_currency, g.to_currency, trim_scale(own.rate)::text as rate,
        trim_scale(back.rate)::text as opposite, trim_scale(own.rate * back.rate)::text as product
      from ${paired.text}
      cross join lateral (
        select $3::timestamptz as at
        union
        select valid_from from rates
        where from_currency = g.to_currency and to_currency = g.from_currency and valid_from > $3) times
      cross join lateral (${inForce('g.from_currency', 'g.to_currency')}) own
      cross join lateral (${inForce('g.to_currency', 'g.from_currency')}) back
      where own.valid_from = $3 and (own.rate * back.rate > 1 or own.rate * back.rate < $4::numeric)
      order by at, g.from_currency, g.to_currency limit 1`,
    values: [...paired.values(pairs), validFrom, least],
  })
  return row
}

/** Returns the SQL for the rate of a pair that is in force at the time `at`. */
function inForce(from: string, to: string): string {
  return `
    select rate, valid_from from rates
    where from_currency = ${from} and to_currency = ${to} and valid_from <= at
    order by derived, valid_from desc limit 1`
}

export type HighestRow = Omit<RateRow, 'to_currency'>

/** Selects, for every currency, the highest rate to `to` that was in force at any time from `since` to `until`. */
export async function selectHighestRates(
  db: Queryable,
  to: string,
  since: Date,
  until: Date,
): Promise<HighestRow[]> {
  return await db.query<HighestRow>({
    text: `
      select g.from_currency, max(one.rate)::text as rate
      from (select distinct from_currency from rates where to_currency = $1) g
      cross join lateral (
        select $2::timestamptz as at
        union
        select valid_from from rates
        where from_currency = g.from_currency and to_currency = $1 and valid_from > $2 and valid_from <= $3) times
      cross join lateral (${inForce('g.from_currency', '$1')}) one
      group by g.from_currency`,
    values: [to, since, until],
  })
}

/** Announces the change to every node when the transaction commits. */
export async function announceRates(tx: Tx): Promise<void> {
  await tx.query({ text: `select pg_notify('rates', 'changed')` })
}

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
