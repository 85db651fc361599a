// Reads the orders whose index entries are missing or outdated, with all fields that the index needs, and the keys of
// all orders for a rebuild.

import type { Tx } from '../../../platform/postgres/db.ts'
import { int8, listOf, text } from '../../../platform/postgres/lists.ts'
import { withoutNul } from '../../../platform/postgres/texts.ts'
import type { OrderKey, StateNumber } from '../../orders/order.ts'

/** The fields of an order that decide which cell of the counts contains the order, and the order's amount. */
export type Counted = {
  readonly local_day: string
  readonly hour: number
  readonly method: string
  readonly state: StateNumber
  readonly currency: string
  readonly amount: bigint
}

export type ChangedOrder = Counted & {
  readonly mer_no: bigint
  readonly trade_no: string
  readonly version: number
  readonly message: string
  readonly created_at: Date
  readonly attempts: number
  readonly emails: readonly (string | null)[]
  readonly names: readonly (string | null)[]
  readonly cards: readonly string[] | null
  readonly channel_refs: readonly string[] | null
  readonly payer_names: readonly string[] | null
  readonly indexed: IndexedOrder | null
}

/** The order as the index stores it. The stored row is read as JSON, so the amount is a text. */
export type IndexedOrder = Omit<Counted, 'amount'> & {
  readonly amount: string
  readonly reason: string
  readonly keys: string
}

// The fields that name the payer, in the merchant's request and in the fields that the payer entered for an attempt.
const payerText = (details: string) => `
  json_to_record((${withoutNul(details)})::json) as p(
    email text, "billingEmail" text, name text, "billingFirstName" text, "billingLastName" text,
    "shippingFirstName" text, "shippingLastName" text)`

// The limit makes PostgreSQL look each order up by its key. With a plain join PostgreSQL may scan all payments once per
// order, as long as the statistics of a new or fast-growing table are missing.
const orderText = `
  cross join lateral (select * from orders where mer_no = c.mer_no and trade_no = c.trade_no limit 1) o`

const columnsText = `
  select o.mer_no, o.trade_no, o.version, o.state, o.method, o.currency, o.amount, o.message, o.created_at,
    o.local_day::text, extract(hour from o.created_at at time zone o.timezone)::int as hour,
    a.attempts, a.cards, a.channel_refs, t.payer_names,
    array[d.email, d."billingEmail", e.email, e."billingEmail"] as emails,
    array[d.name, d."billingFirstName", d."billingLastName", d."shippingFirstName", d."shippingLastName",
      e.name, e."billingFirstName", e."billingLastName"] as names,
    case when i.trade_no is not null then json_build_object(
      'local_day', i.local_day, 'hour', i.hour, 'method', i.method, 'state', i.state, 'currency', i.currency,
      'amount', i.amount::text, 'reason', i.reason, 'keys', i.keys) end as indexed
  from changed c
  ${orderText}
  left join indexed_orders i on i.mer_no = o.mer_no and i.trade_no = o.trade_no
  left join lateral (
    select count(*) filter (where decided_at is not null)::int as attempts,
      array_agg(distinct card_last4) filter (where card_last4 is not null) as cards,
      array_agg(distinct channel_ref) filter (where channel_ref is not null) as channel_refs,
      (array_agg(details order by attempt_no desc) filter (where details is not null))[1] as entered
    from attempts where mer_no = o.mer_no and trade_no = o.trade_no
  ) a on true
  left join lateral (
    select array_agg(distinct payer_name) filter (where payer_name is not null) as payer_names
    from deposits where mer_no = o.mer_no and trade_no = o.trade_no
  ) t on true
  left join order_details s on s.mer_no = o.mer_no and s.trade_no = o.trade_no
  left join lateral (select p.* from ${payerText('s.details')}) d on true
  left join lateral (select p.* from ${payerText('a.entered::text')}) e on true`

const isStale = `
  (i.trade_no is null or i.version <> o.version or i.attempts <> a.attempts or i.method <> o.method)`

const keysText = `
  select o.mer_no::float8 as "merNo", o.trade_no as "tradeNo"
  from (
    select mer_no, trade_no from orders where created_at >= $1 and created_at < $2
    union
    select mer_no, trade_no from order_events where at >= $1 and at < $2
    union
    select mer_no, trade_no from attempts where decided_at >= $1 and decided_at < $2
  ) c
  ${orderText}
  left join indexed_orders i on i.mer_no = o.mer_no and i.trade_no = o.trade_no
  left join lateral (
    select count(*)::int as attempts from attempts
    where mer_no = o.mer_no and trade_no = o.trade_no and decided_at is not null
  ) a on true
  where o.kind = 'payment' and ${isStale}
  limit $3`

/**
 * Reads the keys of orders that were created, changed their state or had an attempt decided in this span, and whose
 * index entry is missing or outdated.
 */
export function readChangedKeys(tx: Tx, from: Date, until: Date, limit: number): Promise<OrderKey[]> {
  return tx.query<OrderKey>({ text: keysText, values: [from, until, limit] })
}

const keys = listOf<OrderKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
})

/** Reads the given orders, except orders whose index entry is up to date. */
export function readChanged(tx: Tx, some: readonly OrderKey[]): Promise<ChangedOrder[]> {
  const changedText = `
    with changed as (select mer_no, trade_no from ${keys.text})
    ${columnsText}
    where ${isStale}`
  return tx.query<ChangedOrder>({ text: changedText, values: keys.values(some) })
}

const waitingText = `
  with changed as (
    select h.mer_no, h.trade_no from hosted_orders h
    join orders o using (mer_no, trade_no)
    join indexed_orders i using (mer_no, trade_no)
    where i.method <> o.method
    limit $1
  )
  ${columnsText}`

/**
 * Reads the hosted orders whose payer has chosen a method since the order was indexed. The other queries do not find
 * these orders, because choosing a method is not a change of state.
 */
export function readChosen(tx: Tx, limit: number): Promise<ChangedOrder[]> {
  return tx.query<ChangedOrder>({ text: waitingText, values: [limit] })
}

/** Reads the keys of the next orders in key order, whether they are indexed or not. */
export function readNextKeys(tx: Tx, after: OrderKey, limit: number): Promise<OrderKey[]> {
  return tx.query<OrderKey>({
    text: `
      select mer_no::float8 as "merNo", trade_no as "tradeNo" from orders
      where (mer_no, trade_no) > ($1, $2) and kind = 'payment'
      order by mer_no, trade_no
      limit $3`,
    values: [after.merNo, after.tradeNo, limit],
  })
}
