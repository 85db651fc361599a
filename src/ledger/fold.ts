// Deltas that wait are folded in parts: a merchant and a currency. One part that cannot be folded, because its sum fits no
// bigint any more, is left out of the statement that folds all others.
import type { Db } from '../postgres/db.ts'
import { given, int8, text } from '../postgres/lists.ts'

export type Part = { readonly merNo: number; readonly currency: string }

/** Which parts to fold: these only, or all but these. */
export type Scope = { readonly parts: readonly Part[]; readonly only: boolean }

export type Fold = (db: Db, limit: number, scope?: Scope) => Promise<number>

const EVERYTHING: Scope = { parts: [], only: false }

const scoped = given<Part>({ mer_no: int8((one) => one.merNo), currency: text((one) => one.currency) }, 2)

/** A condition on a table of deltas; $1 is the limit. */
export const inScope = `((mer_no, currency) in (select mer_no, currency from ${scoped.text})) = ${scoped.next}`

export function foldValues(limit: number, { parts, only }: Scope = EVERYTHING): unknown[] {
  return [limit, ...scoped.values(parts), only]
}

/** The parts that have deltas waiting. */
export async function waitingParts(db: Db, table: 'balance_deltas' | 'order_total_deltas'): Promise<Part[]> {
  const rows = await db.query<{ mer_no: bigint; currency: string }>({
    text: `select distinct mer_no, currency from ${table} order by mer_no, currency limit 100000`,
  })
  return rows.map((row) => ({ merNo: Number(row.mer_no), currency: row.currency }))
}
