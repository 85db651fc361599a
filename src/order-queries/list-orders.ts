// A page of a merchant's pay-ins, newest first, and their total number.
//
// Each order has a place, its position in order of time. The size of a span is the difference of two places, and a page begins
// at a place. A place is found from the nearest milestone, by an index scan from there. Places are those of the snapshot, so
// they are the same for all pages; a milestone is used only if all orders up to it were committed before.

import type { StateNumber } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import { type AsOf, madeBefore, visibleValues } from './as-of.ts'
import {
  askedNumbers,
  type Numbers,
  numbersCountText,
  numbersPageText,
  placesText,
  spanPageText,
} from './list-sql.ts'

/** Exactly one of three: a span of creation times (the end is not part of it), or numbers. */
export type Selection = Span | Numbered
type Span = { readonly kind: 'span'; readonly from: Date; readonly until: Date }
type Numbered = { readonly kind: Numbers; readonly numbers: readonly string[] }

export type ListQuery = { readonly merNo: number; readonly selection: Selection; readonly asOf: AsOf }
export type Page = { readonly offset: number; readonly limit: number }
export type Listing = { readonly total: number; readonly orders: readonly ListedOrder[] }

export type ListedOrder = {
  readonly state: StateNumber
  readonly merOrderNo: string
  readonly tradeNo: string
  readonly currency: string
  readonly amount: bigint
  readonly settleCurrency: string
  /** Null before success. */
  readonly received: bigint | null
  readonly handlingFee: bigint | null
  readonly processingFee: bigint | null
  readonly margin: bigint | null
  readonly settleAmount: bigint | null
  readonly exceptionFees: bigint
  readonly refunded: bigint
  readonly marginHeld: bigint
  readonly marginReleased: boolean
  readonly settled: boolean
  readonly chargebackReason: string
  readonly message: string
}

export function listOrders(db: Queryable, query: ListQuery, page: Page): Promise<Listing> {
  const { merNo, selection, asOf } = query
  const values = [merNo, ...visibleValues(asOf)]
  if (selection.kind !== 'span') return listNumbered(db, selection, page, values)
  const until = earlier(selection.until, madeBefore(asOf))
  return listSpan(db, page, [...values, earlier(selection.from, until), until])
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}

async function listNumbered(
  db: Queryable,
  { kind, numbers }: Numbered,
  { offset, limit }: Page,
  asked: readonly unknown[],
): Promise<Listing> {
  const values = [...asked, askedNumbers.value(numbers)]
  const [row] = await db.query<{ total: bigint }>({ text: numbersCountText(kind), values })
  const total = Number(row?.total ?? 0n)
  if (offset >= total) return { total, orders: [] }
  return {
    total,
    orders: await db.query({ text: numbersPageText(kind), values: [...values, offset, limit] }),
  }
}

type Places = { readonly start: bigint; readonly end: bigint }

async function listSpan(
  db: Queryable,
  { offset, limit }: Page,
  values: readonly unknown[],
): Promise<Listing> {
  const [places] = await db.query<Places>({ name: 'orders.places', text: placesText, values })
  const { start, end } = places ?? { start: 0n, end: 0n }
  const total = Number(end - start)
  if (offset >= total) return { total, orders: [] }
  const paging = [end - BigInt(offset), offset, limit]
  const orders = await db.query<ListedOrder>({
    name: 'orders.page',
    text: spanPageText,
    values: [...values, ...paging],
  })
  return { total, orders }
}
