// Statements of the search over a merchant's payments. $1 is the merchant; a page goes down from a position, newest first.
// The transaction that runs them lets PostgreSQL use nothing but an index.
import type { Queryable } from '../../postgres/db.ts'
import { withoutNul } from '../../postgres/json-text.ts'
import { arrayOf, itself, text } from '../../postgres/lists.ts'
import type { FoundOrder, Position } from './found-order.ts'

export type Span = {
  /** Only orders that come after this one in the list, which are older. */
  readonly after: Position
  /** The oldest creation time. */
  readonly from: Date
}

export type Scanned = Position & { readonly matches: boolean }

/** The conditions that are checked on each order that a scan finds. Null: any. */
export type Conditions = {
  readonly states: readonly string[] | undefined
  readonly methods: readonly string[] | undefined
  readonly currency: string | undefined
  readonly least: bigint | undefined
  readonly most: bigint | undefined
  /** The order must have all of these keys. */
  readonly keys: readonly string[]
}

const driving = arrayOf(text<string>(itself), 5)
const states = arrayOf(text<string>(itself), 6)
const methods = arrayOf(text<string>(itself), 7)
const keys = arrayOf(text<string>(itself), 11)

const byKeyText = `
  select k.created_at, k.trade_no
  from (select unnest(${driving.text}) as key) w
  cross join lateral (
    select created_at, trade_no from order_keys
    where mer_no = $1 and key = w.key and (created_at, trade_no) < ($2, $3) and created_at >= $4
    order by created_at desc, trade_no desc limit $12
  ) k
  order by k.created_at desc, k.trade_no desc limit $12`

const byTimeText = `
  select created_at, trade_no from orders
  where mer_no = $1 and kind = 'payment' and (created_at, trade_no) < ($2, $3) and created_at >= $4
    and ${driving.text} is not null
  order by created_at desc, trade_no desc limit $12`

const byNumberText = `
  select o.created_at, o.trade_no from (select unnest(${driving.text}) as trade_no) w
  join orders o on o.mer_no = $1 and o.trade_no = w.trade_no
  where (o.created_at, o.trade_no) < ($2, $3) and o.created_at >= $4
  limit $12`

function scanText(pageText: string): string {
  return `
    with page as materialized (${pageText})
    select p.created_at as "createdAt", p.trade_no as "tradeNo",
      (${states.text} is null or o.state::text = any (${states.text}))
      and (${methods.text} is null or o.method = any (${methods.text}))
      and ($8::text is null or o.currency = $8)
      and ($9::bigint is null or o.amount >= $9)
      and ($10::bigint is null or o.amount <= $10)
      and not exists (
        select 1 from (select unnest(${keys.text}) as key) w where not exists (
          select 1 from order_keys
          where mer_no = $1 and key = w.key and created_at = p.created_at and trade_no = p.trade_no)) as matches
    from page p join orders o on o.mer_no = $1 and o.trade_no = p.trade_no
    order by p.created_at desc, p.trade_no desc`
}

const scanByKeyText = scanText(byKeyText)
const scanByTimeText = scanText(byTimeText)
const scanByNumberText = scanText(byNumberText)

/** The next orders that have one of the driving keys, or all if there are none, and whether each meets the conditions. */
export function scan(
  db: Queryable,
  merNo: number,
  span: Span,
  drivingKeys: readonly string[],
  conditions: Conditions,
  limit: number,
): Promise<Scanned[]> {
  return db.query<Scanned>({
    text: drivingKeys.length === 0 ? scanByTimeText : scanByKeyText,
    values: scanValues(merNo, span, drivingKeys, conditions, limit),
  })
}

/** These orders as far as they are in the span, and whether each meets the conditions. */
export function scanNumbered(
  db: Queryable,
  merNo: number,
  span: Span,
  tradeNos: readonly string[],
  conditions: Conditions,
): Promise<Scanned[]> {
  return db.query<Scanned>({
    text: scanByNumberText,
    values: scanValues(merNo, span, tradeNos, conditions, tradeNos.length),
  })
}

function scanValues(
  merNo: number,
  { after, from }: Span,
  driven: readonly string[],
  conditions: Conditions,
  limit: number,
): unknown[] {
  const { currency, least, most } = conditions
  return [
    merNo,
    after.createdAt,
    after.tradeNo,
    from,
    driving.value(driven),
    conditions.states === undefined ? null : states.value(conditions.states),
    conditions.methods === undefined ? null : methods.value(conditions.methods),
    currency ?? null,
    least ?? null,
    most ?? null,
    keys.value(conditions.keys),
    limit,
  ]
}

const counted = arrayOf(text<string>(itself), 5)

/** How many orders of the span have one of these keys; counts no further than the limit. */
export async function countUpTo(
  db: Queryable,
  merNo: number,
  { after, from }: Span,
  some: readonly string[],
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ found: number }>({
    text: `
      select count(*)::int as found from (select unnest(${counted.text}) as key) w cross join lateral (
        select 1 from order_keys
        where mer_no = $1 and key = w.key and (created_at, trade_no) < ($2, $3) and created_at >= $4
        order by created_at desc, trade_no desc limit $6) k`,
    values: [merNo, after.createdAt, after.tradeNo, from, counted.value(some), limit],
  })
  return row?.found ?? 0
}

const numbers = arrayOf(text<string>(itself), 2)

// Of the attempt that took the money, else the latest.
const rowsText = `
  select o.mer_no as "merNo", o.trade_no as "tradeNo", o.mer_order_no as "merOrderNo", o.created_at as "createdAt", o.state,
    o.method, o.currency, o.amount, o.refunded, o.charged_back as "chargedBack", o.received,
    o.handling_fee as "handlingFee", o.processing_fee as "processingFee", o.settled_at is not null as settled,
    o.settle_currency as "settleCurrency", o.settle_amount as "settleAmount", o.message,
    coalesce(nullif(d."billingEmail", ''), nullif(d.email, ''), e."billingEmail", e.email, '') as email,
    coalesce(
      nullif(concat_ws(' ', nullif(d."billingFirstName", ''), nullif(d."billingLastName", '')), ''), nullif(d.name, ''),
      nullif(concat_ws(' ', e."billingFirstName", e."billingLastName"), ''), e.name, '') as "payerName",
    a.card_brand as "cardBrand", a.card_last4 as "cardLast4", a.channel, a.channel_ref as reference
  from (select unnest(${numbers.text}) as trade_no) w
  join orders o on o.mer_no = $1 and o.trade_no = w.trade_no and o.kind = 'payment'
  left join lateral (
    select card_brand, card_last4, channel, channel_ref, details from attempts
    where mer_no = o.mer_no and trade_no = o.trade_no
    order by state = 'succeeded' desc, attempt_no desc limit 1
  ) a on true
  left join order_details s on s.mer_no = o.mer_no and s.trade_no = o.trade_no
  left join lateral (
    select p.* from json_to_record((${withoutNul('s.details')})::json) as p(
      email text, "billingEmail" text, name text, "billingFirstName" text, "billingLastName" text)) d on true
  left join lateral (
    select p.* from json_to_record((${withoutNul('a.details::text')})::json) as p(
      email text, "billingEmail" text, name text, "billingFirstName" text, "billingLastName" text)) e on true
  order by o.created_at desc, o.trade_no desc`

/** Newest first. */
export function readRows(db: Queryable, merNo: number, tradeNos: readonly string[]): Promise<FoundOrder[]> {
  return db.query<FoundOrder>({ text: rowsText, values: [merNo, numbers.value(tradeNos)] })
}

/** By our number or by the merchant's. */
export async function findByNumber(db: Queryable, merNo: number, number: string): Promise<string[]> {
  const rows = await db.query<{ trade_no: string }>({
    text: `
      select trade_no from orders where mer_no = $1 and trade_no = $2 and kind = 'payment'
      union
      select trade_no from orders where mer_no = $1 and mer_order_no = $2 and kind = 'payment'`,
    values: [merNo, number],
  })
  return rows.map(({ trade_no: tradeNo }) => tradeNo)
}
