// Statements of the order list. $1 is the merchant, $2 and $3 are the parameters of `visibleText`. An index-only scan finds the
// keys of a page; then only its rows are read.
import { arrayOf, itself, text } from '../postgres/lists.ts'
import { visibleText } from './as-of.ts'

export type Numbers = 'merOrderNos' | 'tradeNos'

const columns: Readonly<Record<Numbers, string>> = { merOrderNos: 'mer_order_no', tradeNos: 'trade_no' }

/** $4 of the statements that list orders by number. */
export const askedNumbers = arrayOf(text<string>(itself), 4)

export function numbersCountText(kind: Numbers): string {
  return `
    select count(*) as total from orders
    where mer_no = $1 and kind = 'payment' and ${visibleText(2)} and ${columns[kind]} = any (${askedNumbers.text})`
}

/** $5 is the offset and $6 the limit. */
export function numbersPageText(kind: Numbers): string {
  return pageText(`
    select mer_no, trade_no from orders
    where mer_no = $1 and kind = 'payment' and ${visibleText(2)} and ${columns[kind]} = any (${askedNumbers.text})
    order by created_at desc, trade_no desc
    offset $5 limit $6`)
}

/** The numbers of payments before the span's start, $4, and before its end, $5. */
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
 * $4 is the span's start and $5 its end; $6 is the place of the page's first order, $7 its distance from the end, $8 the
 * limit. The scan goes down from the next milestone above, or from the end if there is none.
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
