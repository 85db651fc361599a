// Owns balance_sums. A balance is its row in balance_sums plus the deltas that bookings add (post-entries.ts). Folding
// adds deltas to balance_sums and deletes the deltas. The views `balances` and `exact_balances` return sums plus deltas
// for all merchants, `balancesOfOne` (balance-sql.ts) for one merchant. Only folding changes the amounts of a sum.
// Locking a sum without a row adds the row (balance-sql.ts). Only folding and splitting lock deltas. Lock order: sums
// by (mer_no, account, currency). See docs/decisions/0129-balances-by-deltas.md.
import type { Db } from '../../platform/postgres/db.ts'
import { int8, listOf, text } from '../../platform/postgres/lists.ts'

// A delta has the sums of all merchants of a batch. A part is one merchant in one currency. If the sum of a part no
// longer fits a bigint, the deltas are split by merchant, and all other parts are folded without the failed part. Daily
// totals (orders/daily-totals.ts) are folded in the same way.
//
// Adding, splitting, folding and reading are one statement each. So a reader counts an amount only once: in a delta, in
// the deltas that it was split into, or in the sum. Readers read the deltas of all merchants, which are few as long as
// a worker folds them.

export type Part = { readonly merNo: number; readonly currency: string }

/**
 * The parts to fold: if `only` is true, only `parts`, otherwise all parts except `parts`. If `parts` is not empty, a
 * delta of several merchants is folded only after it was split.
 */
export type Scope = { readonly parts: readonly Part[]; readonly only: boolean }

export type Fold = (db: Db, limit: number, scope?: Scope) => Promise<number>

const EVERYTHING: Scope = { parts: [], only: false }

const scoped = listOf<Part>({ mer_no: int8((one) => one.merNo), currency: text((one) => one.currency) }, 2)

export const isOfSeveral = 'cardinality(mer_nos) > 1'

/** The SQL condition for deltas in a scope. $1 is the limit. A scope without parts includes every delta. */
export const inScope = `(cardinality($2::int8[]) = 0 or not ${isOfSeveral}
  and ((mer_nos[1], currency) in (select mer_no, currency from ${scoped.text})) = ${scoped.next})`

export function foldValues(limit: number, { parts, only }: Scope = EVERYTHING): unknown[] {
  return [limit, ...scoped.values(parts), only]
}

/** Returns the parts with deltas that are not folded yet. */
export async function waitingParts(db: Db, table: 'balance_deltas' | 'order_total_deltas'): Promise<Part[]> {
  const rows = await db.query<{ mer_no: bigint; currency: string }>({
    text: `select distinct unnest(mer_nos) as mer_no, currency from ${table} order by mer_no, currency limit 100000`,
  })
  return rows.map((row) => ({ merNo: Number(row.mer_no), currency: row.currency }))
}

/** Folds waiting deltas and returns their number. Readers see the same balances before, during and after the fold. */
export async function foldBalances(db: Db, limit: number, scope?: Scope): Promise<number> {
  const values = foldValues(limit, scope)
  const [row] = await db.query<{ folded: bigint }>({ name: 'balances.fold', text: foldText, values })
  return Number(row?.folded ?? 0)
}

// Folding and lock-balances.ts lock the sums in key order, so they cannot deadlock.
const foldText = `
  with taken as (
    delete from balance_deltas where ctid = any (array(
      select ctid from balance_deltas where ${inScope}
      order by account, delta_id limit $1 for update skip locked))
    returning account, currency, mer_nos, debits, credits
  ), sides as (
    select unnest(mer_nos) as mer_no, account, currency, unnest(debits) as debits, unnest(credits) as credits
    from taken
  ), folded as (
    insert into balance_sums as b (mer_no, account, currency, debits, credits)
    select mer_no, account, currency, sum(debits), sum(credits) from sides
    group by mer_no, account, currency
    order by mer_no, account, currency
    on conflict (mer_no, account, currency)
    do update set debits = b.debits + excluded.debits, credits = b.credits + excluded.credits
  )
  select count(*) as folded from taken`

/** Splits deltas of several merchants into one delta per merchant. Returns the number of deltas that were split. */
export async function splitBalances(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ split: bigint }>({ text: splitText, values: [limit] })
  return Number(row?.split ?? 0)
}

const splitText = `
  with taken as (
    delete from balance_deltas where ctid = any (array(
      select ctid from balance_deltas where ${isOfSeveral} limit $1 for update skip locked))
    returning account, delta_id, currency, mer_nos, debits, credits
  ), made as (
    insert into balance_deltas (account, delta_id, currency, mer_nos, debits, credits)
    select account, delta_id || '.' || s.mer_no, currency, array[s.mer_no], array[s.debits], array[s.credits]
    from taken t, unnest(t.mer_nos, t.debits, t.credits) as s (mer_no, debits, credits)
  )
  select count(*) as split from taken`
