// Owns what folding balances and daily totals share. A delta is of all merchants of a batch. One merchant and one currency are a
// part; if a part cannot be folded, because its sum no longer fits a bigint, deltas are split by merchant, and the statement
// that folds the others leaves it out.
import type { Db } from '../postgres/db.ts'
import { int8, listOf, text } from '../postgres/lists.ts'

export type Part = { readonly merNo: number; readonly currency: string }

/** The parts to fold: only these, or all but these. A delta that is not split yet waits for the next time. */
export type Scope = { readonly parts: readonly Part[]; readonly only: boolean }

export type Fold = (db: Db, limit: number, scope?: Scope) => Promise<number>

const EVERYTHING: Scope = { parts: [], only: false }

const scoped = listOf<Part>({ mer_no: int8((one) => one.merNo), currency: text((one) => one.currency) }, 2)

export const isOfSeveral = 'cardinality(mer_nos) > 1'

/** A condition on a table of deltas; $1 is the limit. Without any part it is everything. */
export const inScope = `(cardinality($2::int8[]) = 0 or not ${isOfSeveral}
  and ((mer_nos[1], currency) in (select mer_no, currency from ${scoped.text})) = ${scoped.next})`

export function foldValues(limit: number, { parts, only }: Scope = EVERYTHING): unknown[] {
  return [limit, ...scoped.values(parts), only]
}

/** The parts with waiting deltas. */
export async function waitingParts(db: Db, table: 'balance_deltas' | 'order_total_deltas'): Promise<Part[]> {
  const rows = await db.query<{ mer_no: bigint; currency: string }>({
    text: `select distinct unnest(mer_nos) as mer_no, currency from ${table} order by mer_no, currency limit 100000`,
  })
  return rows.map((row) => ({ merNo: Number(row.mer_no), currency: row.currency }))
}
