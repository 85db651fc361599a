// The statements of the search of orders. The parameter $1 is the merchant, or null for all merchants. A page begins
// after a position and contains older orders. The transaction that runs these statements restricts PostgreSQL to index
// scans.
//
// Every index starts with the merchant. A page of all merchants first reads the newest order of each merchant, and then
// reads more orders only of the merchants that can have an order on the page.
import { merNoOf } from '../../../platform/base/id.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { arrayOf, int8, itself, listOf, text } from '../../../platform/postgres/lists.ts'
import { withoutNul } from '../../../platform/postgres/texts.ts'
import type { AttemptState, OrderKey, StateNumber } from '../../orders/order.ts'

/** The merchant whose orders are searched. Undefined for all merchants. */
export type Searched = number | undefined

export type Span = {
  readonly after: Position
  readonly from: Date
}

export type Scanned = OrderKey & Position & { readonly matches: boolean }

/**
 * The conditions that are checked on each scanned order. A condition that is undefined, and an empty list of keys,
 * match every order.
 */
export type Conditions = {
  readonly states: readonly string[] | undefined
  readonly methods: readonly string[] | undefined
  readonly currency: string | undefined
  readonly least: bigint | undefined
  readonly most: bigint | undefined
  readonly fingerprint: string | undefined
  readonly keys: readonly string[]
}

const driving = arrayOf(text<string>(itself), 5)
const states = arrayOf(text<string>(itself), 6)
const methods = arrayOf(text<string>(itself), 7)
const keys = arrayOf(text<string>(itself), 11)

type NextText = (limit: string, from: string) => string

/**
 * Selects the next orders of the merchant `m` that have one of the driving keys. The driving keys are the search keys
 * of the most selective filter.
 */
const nextByKey: NextText = (limit, from) => `
  select k.created_at, k.trade_no
  from (select unnest(${driving.text}) as key) w
  cross join lateral (
    select created_at, trade_no from order_keys
    where mer_no = m.mer_no and key = w.key and (created_at, trade_no) < ($2, $3) and created_at >= ${from}
    order by created_at desc, trade_no desc limit ${limit}
  ) k
  order by k.created_at desc, k.trade_no desc limit ${limit}`

/** Selects the next orders of the merchant `m`, whatever their keys. */
const nextByTime: NextText = (limit, from) => `
  select created_at, trade_no from orders
  where mer_no = m.mer_no and kind = 'payment' and (created_at, trade_no) < ($2, $3) and created_at >= ${from}
    and ${driving.text} is not null
  order by created_at desc, trade_no desc limit ${limit}`

const ofOne = '(select $1::bigint as mer_no) m'
const ofAll = '(select mer_no from merchants where $1::bigint is null) m'

function nextOf(merchants: string, next: NextText, limit = '$12', from = '$4'): string {
  return `select m.mer_no, k.created_at, k.trade_no
    from ${merchants} cross join lateral (${next(limit, from)}) k
    order by k.created_at desc, k.trade_no desc limit $12`
}

/**
 * Selects the next orders of all merchants. First, the next order of each merchant is read, and the newest $12 of these
 * orders are kept ($12 is the number of orders on the page). Only the merchants of the kept orders can have an order on
 * the page. If $12 orders are kept, no order on the page is older than the oldest of them.
 */
function nextOfAll(next: NextText): string {
  return `
    with newest as materialized (${nextOf(ofAll, next, '1')}),
    bound as materialized (
      select case when count(*) = $12 then min(created_at) else $4::timestamptz end as first from newest)
    ${nextOf('newest m', next, '$12', '(select first from bound)')}`
}

/** Selects orders to be counted, in any sequence. */
function someOf(merchants: string, next: NextText): string {
  return `select m.mer_no, k.created_at, k.trade_no
    from ${merchants} cross join lateral (${next('$12', '$4')}) k limit $12`
}

const numbered = listOf<OrderKey>(
  { mer_no: int8(({ merNo }) => merNo), trade_no: text(({ tradeNo }) => tradeNo) },
  14,
)

const byNumberText = `
  select o.mer_no, o.created_at, o.trade_no from ${numbered.text}
  join orders o on o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.kind = 'payment'
  where (o.created_at, o.trade_no) < ($2, $3) and o.created_at >= $4
    and $1::bigint is null and ${driving.text} is not null
  limit $12`

function scanText(pageText: string): string {
  return `
    with page as materialized (${pageText})
    select p.mer_no::float8 as "merNo", p.created_at as "createdAt", p.trade_no as "tradeNo",
      (${states.text} is null or o.state::text = any (${states.text}))
      and (${methods.text} is null or o.method = any (${methods.text}))
      and ($8::text is null or o.currency = $8)
      and ($9::bigint is null or o.amount >= $9)
      and ($10::bigint is null or o.amount <= $10)
      and ($13::text is null or exists (
        select from attempts
        where mer_no = p.mer_no and trade_no = p.trade_no and card_fingerprint = $13))
      and not exists (
        select 1 from (select unnest(${keys.text}) as key) w where not exists (
          select 1 from order_keys
          where mer_no = p.mer_no and key = w.key and created_at = p.created_at and trade_no = p.trade_no)) as matches
    from page p join orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no
    order by p.created_at desc, p.trade_no desc`
}

function countText(pageText: string): string {
  return `
    select count(*) filter (where s.matches)::int as found, count(*)::int as read from (${scanText(pageText)}) s`
}

const texts = {
  one: {
    byKey: scanText(nextOf(ofOne, nextByKey)),
    byTime: scanText(nextOf(ofOne, nextByTime)),
    countByKey: countText(someOf(ofOne, nextByKey)),
    countByTime: countText(someOf(ofOne, nextByTime)),
  },
  all: {
    byKey: scanText(nextOfAll(nextByKey)),
    byTime: scanText(nextOfAll(nextByTime)),
    countByKey: countText(someOf(ofAll, nextByKey)),
    countByTime: countText(someOf(ofAll, nextByTime)),
  },
} as const

function textsOf(merNo: Searched) {
  return merNo === undefined ? texts.all : texts.one
}

const scanByNumberText = scanText(byNumberText)

/** True if the search has no filter, so that every order matches. */
export function isAnyOrder(driven: readonly string[], conditions: Conditions): boolean {
  const { currency, least, most, fingerprint } = conditions
  return driven.length === 0 && [currency, least, most, fingerprint].every((one) => one === undefined)
}

/**
 * Returns the next orders that have one of the driving keys, and for each order whether it meets the conditions.
 * Without driving keys, returns the next of all orders.
 */
export function scan(
  db: Queryable,
  merNo: Searched,
  span: Span,
  drivingKeys: readonly string[],
  conditions: Conditions,
  limit: number,
): Promise<Scanned[]> {
  const { byKey, byTime } = textsOf(merNo)
  return db.query<Scanned>({
    text: drivingKeys.length === 0 ? byTime : byKey,
    values: scanValues(merNo, span, drivingKeys, conditions, limit),
  })
}

export async function scanCount(
  db: Queryable,
  merNo: Searched,
  span: Span,
  drivingKeys: readonly string[],
  conditions: Conditions,
  limit: number,
): Promise<{ readonly found: number; readonly read: number }> {
  const { countByKey, countByTime } = textsOf(merNo)
  const [row] = await db.query<{ found: number; read: number }>({
    text: drivingKeys.length === 0 ? countByTime : countByKey,
    values: scanValues(merNo, span, drivingKeys, conditions, limit),
  })
  return row ?? { found: 0, read: 0 }
}

export function scanNumbered(
  db: Queryable,
  span: Span,
  wanted: readonly OrderKey[],
  conditions: Conditions,
): Promise<Scanned[]> {
  const values = scanValues(undefined, span, [], conditions, wanted.length)
  return db.query<Scanned>({ text: scanByNumberText, values: [...values, ...numbered.values(wanted)] })
}

function scanValues(
  merNo: Searched,
  { after, from }: Span,
  driven: readonly string[],
  conditions: Conditions,
  limit: number,
): unknown[] {
  const { currency, least, most, fingerprint } = conditions
  return [
    merNo ?? null,
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
    fingerprint ?? null,
  ]
}

const counted = arrayOf(text<string>(itself), 5)

export async function countUpTo(
  db: Queryable,
  merNo: Searched,
  { after, from }: Span,
  some: readonly string[],
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ found: number }>({
    text: `
      select count(*)::int as found from (
        select 1 from ${merNo === undefined ? ofAll : ofOne}
        cross join (select unnest(${counted.text}) as key) w
        cross join lateral (
          select 1 from order_keys
          where mer_no = m.mer_no and key = w.key and (created_at, trade_no) < ($2, $3) and created_at >= $4
          order by created_at desc, trade_no desc limit $6) k
        limit $6) found`,
    values: [merNo ?? null, after.createdAt, after.tradeNo, from, counted.value(some), limit],
  })
  return row?.found ?? 0
}

const rowKeys = listOf<OrderKey>({
  mer_no: int8(({ merNo }) => merNo),
  trade_no: text(({ tradeNo }) => tradeNo),
})

// The joined attempt is the attempt that took the money, or else the latest attempt.
const rowsText = `
  select o.mer_no as "merNo", o.trade_no as "tradeNo", o.mer_order_no as "merOrderNo", o.created_at as "createdAt", o.state,
    o.method, o.currency, o.amount, o.refunded, o.charged_back as "chargedBack", o.received,
    o.handling_fee as "handlingFee", o.processing_fee as "processingFee", o.settled_at is not null as settled,
    o.settle_currency as "settleCurrency", o.settle_amount as "settleAmount", o.message,
    coalesce(nullif(d."billingEmail", ''), nullif(d.email, ''), e."billingEmail", e.email, '') as email,
    coalesce(
      nullif(concat_ws(' ', nullif(d."billingFirstName", ''), nullif(d."billingLastName", '')), ''), nullif(d.name, ''),
      nullif(concat_ws(' ', e."billingFirstName", e."billingLastName"), ''), e.name, '') as "payerName",
    a.card_brand as "cardBrand", a.card_last4 as "cardLast4", a.card_fingerprint as "cardFingerprint",
    a.channel, a.channel_ref as reference,
    a.attempt_no::int as "attemptNo", a.state as "attemptState", a.action ->> 'kind' as "actionKind"
  from ${rowKeys.text}
  join orders o on o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.kind = 'payment'
  left join lateral (
    select attempt_no, state, action, card_brand, card_last4, card_fingerprint, channel, channel_ref, details from attempts
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

/** Reads payments of any merchants, newest first. The caller bounds the number of keys. Keys of payouts are skipped. */
export function readOrders(db: Queryable, found: readonly OrderKey[]): Promise<FoundOrder[]> {
  return db.query<FoundOrder>({ text: rowsText, values: rowKeys.values(found) })
}

/** The maximum number of orders that are found by one number. */
const MOST_NUMBERED = 500

/** Finds orders by our number or by the merchant's number. Several merchants may use the same order number. */
export async function findByNumber(db: Queryable, merNo: Searched, number: string): Promise<OrderKey[]> {
  return await db.query<OrderKey>({
    text: `
      select mer_no::float8 as "merNo", trade_no as "tradeNo" from orders
      where mer_no = $3 and trade_no = $2 and kind = 'payment'
      union
      select mer_no::float8, trade_no from orders
      where mer_order_no = $2 and ($1::bigint is null or mer_no = $1) and kind = 'payment'
      limit ${MOST_NUMBERED}`,
    values: [merNo ?? null, number, merNo ?? merNoOf(number) ?? -1],
  })
}

export type FoundOrder = {
  readonly merNo: bigint
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly createdAt: Date
  readonly state: StateNumber
  readonly method: string
  readonly currency: string
  readonly amount: bigint
  readonly refunded: bigint
  readonly chargedBack: bigint
  readonly received: bigint | null
  readonly handlingFee: bigint | null
  readonly processingFee: bigint | null
  readonly settled: boolean
  readonly settleCurrency: string
  readonly settleAmount: bigint | null
  readonly message: string
  readonly email: string
  readonly payerName: string
  readonly cardBrand: string | null
  readonly cardLast4: string | null
  readonly cardFingerprint: string | null
  readonly channel: string | null
  readonly reference: string | null
  readonly attemptNo: number | null
  readonly attemptState: AttemptState | null
  /** The kind of the payer's next step in the attempt. */
  readonly actionKind: string | null
}

/** A position in the list of orders. No order needs to exist at the position. */
export type Position = { readonly createdAt: Date; readonly tradeNo: string }
