// Reads a page of a merchant's payments, the newest first, and the total number of payments in the selection. A
// selection by numbers is simply counted. A span of time is read by places:
//
// Each payment has a place: its number in the merchant's list, counted from the oldest payment. The number of payments
// in a span is the difference between two places, and a page begins at a place. A place is found by an index scan from
// the nearest milestone. Places are counted in the list's snapshot, so they are the same for all pages. A milestone is
// used only if all orders up to it were committed before the snapshot.
import type { Queryable } from '../../platform/postgres/db.ts'
import { arrayOf, itself, text } from '../../platform/postgres/lists.ts'
import type { StateNumber } from '../orders/order.ts'
import { type AsOf, madeBefore, visibleText, visibleValues } from './as-of.ts'

/** The orders to list: a span of creation times, whose end is exclusive, or a list of order or trade numbers. */
export type Selection = Span | Numbered
type Span = { readonly kind: 'span'; readonly from: Date; readonly until: Date }
type Numbered = { readonly kind: Numbers; readonly numbers: readonly string[] }

type ListQuery = { readonly merNo: number; readonly selection: Selection; readonly asOf: AsOf }
type Page = { readonly offset: number; readonly limit: number }
type Listing = { readonly total: number; readonly orders: readonly ListedOrder[] }

export type ListedOrder = {
  readonly state: StateNumber
  readonly merOrderNo: string
  readonly tradeNo: string
  readonly currency: string
  readonly amount: bigint
  readonly settleCurrency: string
  /** The amount received so far, if any. The four amounts after this field are null until the payment succeeds. */
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

// The statements of the order list. $1 is the merchant. $2 and $3 are the parameters of `visibleText`. An index-only
// scan finds the keys of a page, and only the rows of these keys are read.

type Numbers = 'merOrderNos' | 'tradeNos'

const columns: Readonly<Record<Numbers, string>> = { merOrderNos: 'mer_order_no', tradeNos: 'trade_no' }

const askedNumbers = arrayOf(text<string>(itself), 4)

function numbersCountText(kind: Numbers): string {
  return `
    select count(*) as total from orders
    where mer_no = $1 and kind = 'payment' and ${visibleText(2)} and ${columns[kind]} = any (${askedNumbers.text})`
}

/** Returns the statement for a page of orders by number. $5 is the offset, and $6 is the limit. */
function numbersPageText(kind: Numbers): string {
  return pageText(`
    select mer_no, trade_no from orders
    where mer_no = $1 and kind = 'payment' and ${visibleText(2)} and ${columns[kind]} = any (${askedNumbers.text})
    order by created_at desc, trade_no desc
    offset $5 limit $6`)
}

/** The statement that counts the payments before the span's start ($4) and before its end ($5). */
export const placesText = `select (${placeText('$4')}) as start, (${placeText('$5')}) as end`

function placeText(moment: string): string {
  return `
    select coalesce(m.place, 0) + (
      select count(*) from orders
      where mer_no = $1 and kind = 'payment' and ${visibleText(2)} and created_at < ${moment}
        and (created_at, trade_no) > (coalesce(m.created_at, '-infinity'), coalesce(m.trade_no, '')))
    from (values (1)) as one left join lateral (
      select place, created_at, trade_no from order_milestones
      where mer_no = $1 and created_at < least(${moment}::timestamptz, $2::timestamptz)
      order by created_at desc, trade_no desc limit 1) m on true`
}

/**
 * The statement for a page of a span. The parameters are the span's start ($4) and end ($5), the place of the page's
 * first order ($6), the distance of that place from the span's end ($7), and the limit ($8). The scan goes from newer
 * to older orders. The scan begins at the first milestone at or above the place. Without a milestone there, the scan
 * begins at the span's end.
 */
export const spanPageText = pageText(
  `
  select mer_no, trade_no from orders
  where mer_no = $1 and kind = 'payment' and ${visibleText(2)} and created_at >= $4
    and (created_at, trade_no) <= (
      coalesce((select created_at from milestone), $5), coalesce((select trade_no from milestone), ''))
  order by created_at desc, trade_no desc
  offset coalesce((select place - $6 from milestone), $7) limit $8`,
  `milestone as (
    select place, created_at, trade_no from (
      select place, created_at, trade_no from order_milestones
      where mer_no = $1 and place >= $6 order by place limit 1) m
    where created_at < $2
  ),`,
)

function pageText(keys: string, before = ''): string {
  return `
    with ${before} page as (${keys})
    select
      o.state, o.mer_order_no as "merOrderNo", o.trade_no as "tradeNo", o.currency, o.amount,
      o.settle_currency as "settleCurrency", o.received, o.handling_fee as "handlingFee",
      o.processing_fee as "processingFee", o.margin, o.settle_amount as "settleAmount",
      o.exception_fees as "exceptionFees", o.refunded, o.margin_held as "marginHeld",
      o.margin_released_at is not null as "marginReleased", o.settled_at is not null as settled,
      coalesce(c.reason, '') as "chargebackReason", o.message
    from page join orders o using (mer_no, trade_no)
    left join lateral (
      select reason from chargebacks
      where mer_no = o.mer_no and trade_no = o.trade_no and o.chargeback_state is not null
        and state in ('open', 'won', 'lost')
      order by opened_at desc, chargeback_id desc limit 1
    ) c on true
    order by o.created_at desc, o.trade_no desc`
}
