// Owns order_dues, the schedule of settlements and margin releases. The transaction that settles an order or releases
// its margin also deletes the due row.
//
// If a payment's margin comes due after its settlement, only the settlement gets a row, which contains the due time of
// the margin. The margin gets its own row once the order is settled, or once the settlement has to wait for balance.
import { addDays, localDay, startOfDay } from '../../platform/base/local-day.ts'
import type { Queryable, Statement, Tx } from '../../platform/postgres/db.ts'
import { int8, listOf, text, time } from '../../platform/postgres/lists.ts'
import type { OrderKey, Terms } from './order.ts'

export type DueKind = 'settle' | 'margin'
export type Due = { readonly tradeNo: string; readonly dueAt: Date }

/** The times when settlement and margin release come due. `marginAt` is undefined if there is no margin. */
export type Dues = { readonly settleAt: Date; readonly marginAt: Date | undefined }

export type OrderDues = { readonly order: OrderKey; readonly dues: Dues }

/** Returns the due times: the beginning of a day in the merchant's time zone, counted from the day of success. */
export function duesOf(terms: Terms, margin: bigint, timezone: string, at: Date): Dues {
  const today = localDay(at, timezone)
  const dueIn = (days: number) => startOfDay(addDays(today, days), timezone)
  return {
    settleAt: dueIn(terms.settleDays),
    marginAt: margin > 0n ? dueIn(terms.marginDays) : undefined,
  }
}

export function insertDues(all: readonly OrderDues[]): Statement {
  return { name: 'dues.insert', text: insertText, values: rows.values(all.flatMap(toRows)) }
}

type Row = {
  readonly order: OrderKey
  readonly kind: DueKind
  readonly dueAt: Date
  readonly marginAt: Date | undefined
}

function toRows({ order, dues: { settleAt, marginAt } }: OrderDues): Row[] {
  if (marginAt === undefined || marginAt > settleAt)
    return [{ order, kind: 'settle', dueAt: settleAt, marginAt }]
  return [
    { order, kind: 'settle', dueAt: settleAt, marginAt: undefined },
    { order, kind: 'margin', dueAt: marginAt, marginAt: undefined },
  ]
}

const rows = listOf<Row>({
  mer_no: int8(({ order }) => order.merNo),
  kind: text((one) => one.kind),
  due_at: time((one) => one.dueAt),
  trade_no: text(({ order }) => order.tradeNo),
  margin_at: time((one) => one.marginAt),
})

const insertText = `
  insert into order_dues (mer_no, kind, due_at, trade_no, margin_at)
  select mer_no, kind, due_at, trade_no, margin_at from ${rows.text}`

/** Returns the merchants with a row due by `asOf`, in ascending order, starting after `after`. */
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

// The query skips from merchant to merchant along the key. A query that reads every row would get slower the longer
// margins are withheld.
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
  /** The last row of the previous page. */
  readonly after: Due | undefined
  readonly limit: number
}

/**
 * Selects the due rows, the longest due first. The rows are not locked. The caller locks the orders, which show whether
 * another worker has settled them or released their margins meanwhile.
 */
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

/** Removes the rows of settled or released orders. Margins whose time is in these rows get rows of their own. */
export function removeDues(tx: Tx, page: DuesPage, done: readonly Due[]): Promise<void> {
  return change(tx, 'dues.remove', removeText, page, done)
}

/**
 * Gives the margins in these rows their own rows before the orders are settled, because a settlement may have to wait
 * until the margin of the same order is released.
 */
export function splitMargins(tx: Tx, page: DuesPage, waiting: readonly Due[]): Promise<void> {
  return change(tx, 'dues.split-margins', splitText, page, waiting)
}

async function change(
  tx: Tx,
  name: string,
  text: string,
  { merNo, kind }: DuesPage,
  dues: readonly Due[],
): Promise<void> {
  if (dues.length === 0) return
  const values = [merNo, kind, ...listed.values(dues)]
  await tx.query({ name, text, values })
}

const listed = listOf<Due>({ due_at: time((one) => one.dueAt), trade_no: text((one) => one.tradeNo) }, 3)
const isListed = 'd.mer_no = $1 and d.kind = $2 and d.due_at = g.due_at and d.trade_no = g.trade_no'
const insertMargins = `
  insert into order_dues (mer_no, kind, due_at, trade_no)
  select $1, 'margin', margin_at, trade_no from led`

const removeText = `
  with gone as (
    delete from order_dues d using ${listed.text} where ${isListed} returning d.trade_no, d.margin_at
  ), led as (
    select trade_no, margin_at from gone where margin_at is not null
  )
  ${insertMargins}`

// All parts of the statement see the rows as they were before the statement. So `led` finds the times that `freed`
// removes.
const splitText = `
  with led as (
    select d.trade_no, d.margin_at from order_dues d join ${listed.text} on ${isListed} where d.margin_at is not null
  ), freed as (
    update order_dues d set margin_at = null from ${listed.text} where ${isListed} and d.margin_at is not null
  )
  ${insertMargins}`
