// How many orders a list has. Counting millions would take seconds, so whole days are taken from the daily totals and only
// the edges of the span are counted, in the index.
//
// An order keeps the local day that it was made on, and a merchant's zone may have been another one then. So a day counts
// as whole only if it lies inside the span in every zone there is, and at the edges it is each order's own day that says
// whether the totals hold it already.
import type { Queryable } from '../base/db.ts'
import { addDays } from '../base/local-day.ts'
import { committedBefore, madeBefore } from './as-of.ts'
import { byNumberText, earlier, type ListQuery, visibleText, visibleValues } from './list-orders.ts'
import { cellsText } from './totals-sql.ts'

type Span = { readonly from: Date; readonly until: Date }

export async function countOrders(db: Queryable, query: ListQuery): Promise<number> {
  const { merNo, selection, asOf } = query
  const visible = visibleValues(asOf)
  if (selection.kind !== 'span') {
    const where = byNumberText(selection.kind, 4)
    return count(db, { text: countText(where), values: [merNo, ...visible, selection.numbers] })
  }
  const span = { from: selection.from, until: earlier(selection.until, madeBefore(asOf)) }
  const days = wholeDays({ from: span.from, until: earlier(span.until, committedBefore(asOf)) })
  if (days === undefined) {
    const values = [merNo, ...visible, span.from, span.until]
    return count(db, { name: 'orders.count', text: countText(spanText), values })
  }
  return count(db, { name: 'orders.count-days', text: daysText, values: dayValues(query, span, days) })
}

type Days = { readonly first: string; readonly last: string }

const HOUR_MS = 3_600_000
/** The day begins first at UTC+14, and ends last at UTC-12. */
const EARLIEST_MS = 14 * HOUR_MS
const LATEST_MS = 12 * HOUR_MS

/** Days that lie in the span wherever they were counted; undefined when there is none. */
export function wholeDays({ from, until }: Span): Days | undefined {
  const lastOut = new Date(from.getTime() + EARLIEST_MS - 1).toISOString().slice(0, 10)
  const afterLast = new Date(until.getTime() - LATEST_MS).toISOString().slice(0, 10)
  const [first, last] = [addDays(lastOut, 1), addDays(afterLast, -1)]
  return first <= last ? { first, last } : undefined
}

function dayValues({ merNo, asOf }: ListQuery, span: Span, { first, last }: Days): unknown[] {
  // Between these two moments every order's own day is one of the whole days.
  const lowerEnd = new Date(Date.parse(`${first}T00:00:00Z`) + LATEST_MS)
  const upperStart = new Date(Date.parse(`${addDays(last, 1)}T00:00:00Z`) - EARLIEST_MS)
  return [merNo, first, last, span.from, lowerEnd, upperStart, span.until, ...visibleValues(asOf)]
}

const spanText = 'created_at >= $4 and created_at < $5'

function countText(where: string): string {
  return `
    select count(*) as orders from orders
    where mer_no = $1 and kind = 'payment' and ${where} and ${visibleText(2)}`
}

const daysText = `
  select (
    select coalesce(sum(orders), 0) from (${cellsText}) as cells
  ) + (
    select count(*) from orders
    where mer_no = $1 and kind = 'payment' and created_at >= $4 and created_at < $5 and local_day < $2
  ) + (
    select count(*) from orders
    where mer_no = $1 and kind = 'payment' and created_at >= $6 and created_at < $7 and local_day > $3
      and ${visibleText(8)}
  ) as orders`

async function count(db: Queryable, statement: Parameters<Queryable['query']>[0]): Promise<number> {
  const [row] = await db.query<{ orders: bigint | string }>(statement)
  return Number(row?.orders ?? 0)
}
