// Finds a merchant's payments by any combination of filters, the newest first, page by page.
//
// The most selective filter drives the search: the orders with the keys of this filter are scanned in order of time,
// and each order is checked against the other filters. A page scans a bounded number of orders. If the scan reaches the
// bound before the page is full, the page is short, and the next page continues where the scan stopped. So a page of a
// search over a million orders costs as much as a page of a search over a thousand.
import { type Db, inKeyOrder, type Queryable, type Tx } from '../../../platform/postgres/db.ts'
import { arrayOf, itself, text } from '../../../platform/postgres/lists.ts'
import { withoutNul } from '../../../platform/postgres/texts.ts'
import type { AttemptState, StateNumber } from '../../orders/order.ts'
import { amountKey, cardKey, emailKey, methodKey, nameKeys, referenceKey, stateKey } from './keys.ts'

export type OrderFilter = {
  /** Our trade number or the merchant's order number. The other filters still apply. */
  readonly number?: string | undefined
  readonly email?: string | undefined
  readonly name?: string | undefined
  /** The last four digits of the card. */
  readonly card?: string | undefined
  /** The fingerprint of a card that one of the order's attempts was made with. */
  readonly fingerprint?: string | undefined
  /** The amount as a decimal, in any currency. */
  readonly amount?: string | undefined
  readonly reference?: string | undefined
  readonly states?: readonly number[] | undefined
  readonly methods?: readonly string[] | undefined
  readonly currency?: string | undefined
  /** The smallest and largest amount, in minor units of `currency`. */
  readonly least?: bigint | undefined
  readonly most?: bigint | undefined
  readonly from?: Date | undefined
  /** The end of the span, exclusive. */
  readonly until?: Date | undefined
}

type OrderPage = {
  readonly orders: readonly FoundOrder[]
  /** The position after which the next page begins. Undefined on the last page. */
  readonly next: Position | undefined
  /** True if the scan stopped at the maximum number of orders, so that the page may be short. */
  readonly isCut: boolean
}

const MOST_SCANNED = 5_000
const MOST_AT_ONCE = 2_000
/** The number at which counting the orders of a key stops. Keys with more orders count as equally unselective. */
const MOST_COUNTED = 300

export function findOrders(
  db: Db,
  merNo: number,
  filter: OrderFilter,
  after: Position | undefined,
  limit: number,
): Promise<OrderPage> {
  return db.transaction(async (tx) => {
    await tx.query({ text: inKeyOrder })
    const span = spanOf(filter, after)
    const found =
      filter.number === undefined
        ? await findPage(tx, merNo, filter, span, limit)
        : { tradeNos: await findNumbered(tx, merNo, filter, span), next: undefined, isCut: false }
    const orders = found.tradeNos.length === 0 ? [] : await readOrders(tx, merNo, found.tradeNos)
    return { orders, next: found.next, isCut: found.isCut }
  })
}

/** A time in the year 2243, which is later than any order. */
const LAST = new Date(8.64e15 / 1000)
const FIRST = new Date(0)

function spanOf({ from = FIRST, until }: OrderFilter, after: Position | undefined): Span {
  const end = { createdAt: until ?? LAST, tradeNo: '' }
  return { from, after: after === undefined || after.createdAt >= end.createdAt ? end : after }
}

type Found = {
  readonly tradeNos: readonly string[]
  readonly next: Position | undefined
  readonly isCut: boolean
}

async function findPage(
  tx: Tx,
  merNo: number,
  filter: OrderFilter,
  span: Span,
  limit: number,
): Promise<Found> {
  const { driver, conditions } = await planSearch(tx, merNo, filter, span)
  const tradeNos: string[] = []
  let [after, atOnce, scanned, last] = [span.after, limit + 1, 0, span.after]
  while (scanned < MOST_SCANNED) {
    const rows = await scan(tx, merNo, { ...span, after }, driver, conditions, atOnce)
    for (const row of rows) {
      if (row.matches && tradeNos.length === limit) return { tradeNos, next: last, isCut: false }
      if (row.matches) tradeNos.push(row.tradeNo)
      if (row.matches || tradeNos.length < limit) last = row
    }
    if (rows.length < atOnce) return { tradeNos, next: undefined, isCut: false }
    after = rows.at(-1) ?? after
    scanned += rows.length
    atOnce = Math.min(atOnce * 4, MOST_AT_ONCE)
  }
  return { tradeNos, next: tradeNos.length === limit ? last : after, isCut: true }
}

/** Finds orders by number. Very few orders have the same number, so each is checked against the other filters. */
async function findNumbered(tx: Tx, merNo: number, filter: OrderFilter, span: Span): Promise<string[]> {
  const numbered = await findByNumber(tx, merNo, filter.number?.trim() ?? '')
  if (numbered.length === 0) return []
  const rows = await scanNumbered(tx, merNo, span, numbered, conditionsOf(filter))
  return rows.filter(({ matches }) => matches).map(({ tradeNo }) => tradeNo)
}

function conditionsOf(filter: OrderFilter): Conditions {
  const { states, methods, currency, least, most, fingerprint } = filter
  const keys = [
    ...(filter.reference === undefined ? [] : [referenceKey(filter.reference)]),
    ...(filter.email === undefined ? [] : [emailKey(filter.email)]),
    ...(filter.name === undefined ? [] : nameKeys(filter.name)),
    ...(filter.amount === undefined ? [] : [amountKey(filter.amount)]),
    ...(filter.card === undefined ? [] : [cardKey(filter.card)]),
  ]
  return { states: states?.map(String), methods, currency, least, most, fingerprint, keys }
}

type Plan = {
  /** The keys that are scanned. An empty list scans all orders by time. */
  readonly driver: readonly string[]
  readonly conditions: Conditions
}

async function planSearch(tx: Tx, merNo: number, filter: OrderFilter, span: Span): Promise<Plan> {
  const { states, methods } = filter
  const conditions = conditionsOf(filter)
  const sets = [
    ...conditions.keys.map((key) => [key]),
    ...(states === undefined ? [] : [states.map(stateKey)]),
    ...(methods === undefined ? [] : [methods.map(methodKey)]),
  ]
  const driver = await mostSelective(tx, merNo, span, sets)
  const keys = conditions.keys.filter((key) => !driver.includes(key))
  return { driver, conditions: { ...conditions, keys } }
}

/** Returns the set of keys with the fewest orders. A single set is returned without counting. */
async function mostSelective(
  tx: Tx,
  merNo: number,
  span: Span,
  sets: readonly (readonly string[])[],
): Promise<readonly string[]> {
  let [best, fewest]: [readonly string[], number] = [sets[0] ?? [], MOST_COUNTED]
  if (sets.length < 2) return best
  for (const set of sets) {
    const found = await countUpTo(tx, merNo, span, set, MOST_COUNTED)
    if (found < fewest) [best, fewest] = [set, found]
  }
  return best
}

// The statements of the search. The parameter $1 is the merchant. A page goes from a position down to older orders. The
// transaction that runs these statements restricts PostgreSQL to index scans.

type Span = {
  readonly after: Position
  readonly from: Date
}

type Scanned = Position & { readonly matches: boolean }

/** The conditions that are checked on each scanned order. An undefined condition matches every order. */
type Conditions = {
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
      and ($13::text is null or exists (
        select from attempts
        where mer_no = $1 and trade_no = p.trade_no and card_fingerprint = $13))
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

/**
 * Returns the next orders that have one of the driving keys, and for each order whether it meets the conditions.
 * Without driving keys, returns the next of all orders.
 */
function scan(
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

function scanNumbered(
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
  const { currency, least, most, fingerprint } = conditions
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
    fingerprint ?? null,
  ]
}

const counted = arrayOf(text<string>(itself), 5)

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
  from (select unnest(${numbers.text}) as trade_no) w
  join orders o on o.mer_no = $1 and o.trade_no = w.trade_no and o.kind = 'payment'
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

/** Reads the orders with these trade numbers, the newest first. */
export function readOrders(db: Queryable, merNo: number, tradeNos: readonly string[]): Promise<FoundOrder[]> {
  return db.query<FoundOrder>({ text: rowsText, values: [merNo, numbers.value(tradeNos)] })
}

async function findByNumber(db: Queryable, merNo: number, number: string): Promise<string[]> {
  const rows = await db.query<{ trade_no: string }>({
    text: `
      select trade_no from orders where mer_no = $1 and trade_no = $2 and kind = 'payment'
      union
      select trade_no from orders where mer_no = $1 and mer_order_no = $2 and kind = 'payment'`,
    values: [merNo, number],
  })
  return rows.map(({ trade_no: tradeNo }) => tradeNo)
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

/** A position in the list: the order with this time and trade number, or the gap where such an order would be. */
export type Position = { readonly createdAt: Date; readonly tradeNo: string }
