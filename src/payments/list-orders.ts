// A page of a merchant's pay-ins, newest first. The page's keys are found in the index alone; only its own rows are then
// read, so that a deep page costs a walk over index entries and not over orders.
import type { Queryable } from '../base/db.ts'
import { type AsOf, committedBefore, madeBefore, snapshotOf } from './as-of.ts'
import type { StateNumber } from './payment.ts'

/** Exactly one of three: a span of creation times (the end is not part of it), or numbers. */
export type Selection =
  | { readonly kind: 'span'; readonly from: Date; readonly until: Date }
  | { readonly kind: 'merOrderNos' | 'tradeNos'; readonly numbers: readonly string[] }

export type ListQuery = { readonly merNo: number; readonly selection: Selection; readonly asOf: AsOf }

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

export function listOrders(
  db: Queryable,
  query: ListQuery,
  page: { readonly offset: number; readonly limit: number },
): Promise<ListedOrder[]> {
  const { merNo, selection, asOf } = query
  const paging = [page.offset, page.limit]
  if (selection.kind !== 'span') {
    const text = pageText(byNumberText(selection.kind, 6))
    return db.query<ListedOrder>({
      text,
      values: [merNo, ...visibleValues(asOf), ...paging, selection.numbers],
    })
  }
  const values = [
    merNo,
    ...visibleValues(asOf),
    ...paging,
    selection.from,
    earlier(selection.until, madeBefore(asOf)),
  ]
  return db.query<ListedOrder>({ name: 'orders.page', text: spanPageText, values })
}

/** What `visibleText` refers to. */
export function visibleValues(asOf: AsOf): readonly [Date, string] {
  return [committedBefore(asOf), snapshotOf(asOf)]
}

/** With its two values as the parameters from this one on. */
export function visibleText(first: number): string {
  return `(created_at < $${first} or pg_visible_in_snapshot(made_in, $${first + 1}))`
}

export function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}

const spanText = 'created_at >= $6 and created_at < $7'

export function byNumberText(kind: 'merOrderNos' | 'tradeNos', parameter: number): string {
  return `${kind === 'tradeNos' ? 'trade_no' : 'mer_order_no'} = any($${parameter})`
}

function pageText(where: string): string {
  return `
    with page as (
      select mer_no, trade_no from orders
      where mer_no = $1 and kind = 'payment' and ${where} and ${visibleText(2)}
      order by created_at desc, trade_no desc
      offset $4 limit $5
    )
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
      order by opened_at desc limit 1
    ) c on true
    order by o.created_at desc, o.trade_no desc`
}

const spanPageText = pageText(spanText)
