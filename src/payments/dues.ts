// Owns order_dues together with the recording of outcomes, which writes them: what settlement has to come back to. A row
// goes in the transaction that does its work.
import type { Queryable, Tx } from '../base/db.ts'

export type DueKind = 'settle' | 'margin'
export type Due = { readonly tradeNo: string; readonly dueAt: Date }

/** Merchants beyond `after` for whom something is due, in order of number. */
export async function merchantsWithDues(
  db: Queryable,
  page: { readonly asOf: Date; readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = await db.query<{ mer_no: bigint }>({
    name: 'dues.merchants',
    text: merchantsText,
    values: [page.asOf, page.after, page.limit],
  })
  return rows.map((row) => Number(row.mer_no))
}

// From merchant to merchant along the key: reading every row would cost more the longer margins are held.
const merchantsText = `
  with recursive merchant (mer_no) as (
    (select mer_no from order_dues where mer_no > $2 order by mer_no limit 1)
    union all
    select (select d.mer_no from order_dues d where d.mer_no > m.mer_no order by d.mer_no limit 1)
    from merchant m where m.mer_no is not null
  )
  select m.mer_no from merchant m
  where m.mer_no is not null and exists (
    select from unnest(array['settle', 'margin']) as k (kind), lateral (
      select from order_dues d where d.mer_no = m.mer_no and d.kind = k.kind and d.due_at <= $1 limit 1) due)
  limit $3`

export type DuesPage = {
  readonly merNo: number
  readonly kind: DueKind
  readonly asOf: Date
  /** The last one of the page before. */
  readonly after: Due | undefined
  readonly limit: number
}

/** The longest due first. They are not locked: the orders are, and tell what was done meanwhile. */
export async function selectDues(db: Queryable, page: DuesPage): Promise<Due[]> {
  const { merNo, kind, asOf, after, limit } = page
  const rows = await db.query<{ trade_no: string; due_at: Date }>({
    name: 'dues.select',
    text: selectText,
    values: [merNo, kind, asOf, after?.dueAt ?? '-infinity', after?.tradeNo ?? '', limit],
  })
  return rows.map((row) => ({ tradeNo: row.trade_no, dueAt: row.due_at }))
}

const selectText = `
  select trade_no, due_at from order_dues
  where mer_no = $1 and kind = $2 and due_at <= $3 and (due_at, trade_no) > ($4, $5)
  order by due_at, trade_no
  limit $6`

export async function removeDues(tx: Tx, merNo: number, kind: DueKind, done: readonly Due[]): Promise<void> {
  if (done.length === 0) return
  await tx.query({
    name: 'dues.remove',
    text: removeText,
    values: [merNo, kind, done.map(({ dueAt }) => dueAt), done.map(({ tradeNo }) => tradeNo)],
  })
}

const removeText = `
  delete from order_dues d using unnest($3::timestamptz[], $4::text[]) as g (due_at, trade_no)
  where d.mer_no = $1 and d.kind = $2 and d.due_at = g.due_at and d.trade_no = g.trade_no`
