// Owns the tables payment_links and payment_link_orders.

import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { containsAnyCase } from '../../platform/postgres/texts.ts'
import { isMethod } from '../../rails/methods/methods.ts'
import { State, type StateNumber } from '../orders/order.ts'
import type { LinkKey, PaymentLink } from './payment-link.ts'

type Row = {
  mer_no: bigint
  link_id: string
  title: string
  currency: string
  amount: bigint | null
  least: bigint | null
  most: bigint | null
  method: string | null
  uses: PaymentLink['uses']
  expires_at: Date | null
  language: string
  reference: string
  notify_url: string
  state: PaymentLink['state']
  claimed_by: string | null
  claim_state: StateNumber | null
  claim_amount: bigint | null
  created_by: string
  created_at: Date
}

const selectText = `
  select
    l.mer_no, l.link_id, l.title, l.currency, l.amount, l.least, l.most, l.method, l.uses, l.expires_at, l.language,
    l.reference, l.notify_url, l.state, l.claimed_by, o.state as claim_state, o.amount as claim_amount, l.created_by,
    l.created_at
  from payment_links l
  left join current_orders o on o.mer_no = l.mer_no and o.trade_no = l.claimed_by`

function toLink(row: Row): PaymentLink {
  const { currency, claimed_by: tradeNo, claim_state: state, claim_amount: amount } = row
  const isClaimed = tradeNo !== null && state !== null && amount !== null
  return {
    merNo: Number(row.mer_no),
    linkId: row.link_id,
    title: row.title,
    currency,
    amount: row.amount ?? undefined,
    least: row.least ?? undefined,
    most: row.most ?? undefined,
    method: row.method !== null && isMethod(row.method) ? row.method : undefined,
    uses: row.uses,
    expiresAt: row.expires_at ?? undefined,
    language: row.language,
    reference: row.reference,
    notifyUrl: row.notify_url,
    state: row.state,
    claim: isClaimed ? { tradeNo, state, money: { amount, currency } } : undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
  }
}

export async function insertLink(tx: Tx, link: PaymentLink): Promise<void> {
  await tx.query({
    text: `
      insert into payment_links (mer_no, link_id, title, currency, amount, least, most, method, uses, expires_at, language,
        reference, notify_url, state, created_by, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    values: [
      link.merNo,
      link.linkId,
      link.title,
      link.currency,
      link.amount ?? null,
      link.least ?? null,
      link.most ?? null,
      link.method ?? null,
      link.uses,
      link.expiresAt ?? null,
      link.language,
      link.reference,
      link.notifyUrl,
      link.state,
      link.createdBy,
      link.createdAt,
    ],
  })
}

export async function selectLink(
  db: Queryable,
  { merNo, linkId }: LinkKey,
): Promise<PaymentLink | undefined> {
  const [row] = await db.query<Row>({
    name: 'payment-links.find',
    text: `${selectText} where l.mer_no = $1 and l.link_id = $2`,
    values: [merNo, linkId],
  })
  return row && toLink(row)
}

/** Selects a page of links, newest first. Ids sort by time. */
export async function selectLinks(
  db: Queryable,
  merNo: number,
  before: string | undefined,
  limit: number,
): Promise<PaymentLink[]> {
  const rows = await db.query<Row>({
    text: `${selectText} where l.mer_no = $1 and ($2::text is null or l.link_id < $2) order by l.link_id desc limit $3`,
    values: [merNo, before ?? null, limit],
  })
  return rows.map(toLink)
}

const NEWEST_SEARCHED = 1_000

/** Finds links by part of title or reference. Only the newest links are searched, which bounds the time. */
export async function searchLinks(
  db: Queryable,
  merNo: number,
  part: string,
  limit: number,
): Promise<PaymentLink[]> {
  const rows = await db.query<Row>({
    text: `
      ${selectText}
      where l.mer_no = $1
        and l.link_id in (
          select n.link_id from payment_links n where n.mer_no = $1 order by n.link_id desc limit ${NEWEST_SEARCHED})
        and (l.title ~ $2 or l.reference ~ $2)
      order by l.link_id desc limit $3`,
    values: [merNo, containsAnyCase(part), limit],
  })
  return rows.map(toLink)
}

/**
 * Locks the link, and then reads it in a second statement, so that the result contains what the previous holder of the
 * lock committed. Orders of a link with many uses share the lock, and wait only for a change of the link's state.
 */
export async function lockLink(
  tx: Tx,
  key: LinkKey,
  lock: 'for update' | 'for share',
): Promise<PaymentLink | undefined> {
  await tx.query({
    text: `select link_id from payment_links where mer_no = $1 and link_id = $2 ${lock}`,
    values: [key.merNo, key.linkId],
  })
  return selectLink(tx, key)
}

export async function updateState(
  tx: Tx,
  { merNo, linkId }: LinkKey,
  state: PaymentLink['state'],
): Promise<void> {
  await tx.query({
    text: 'update payment_links set state = $3 where mer_no = $1 and link_id = $2',
    values: [merNo, linkId, state],
  })
}

/** Inserts an order of a link. The caller has locked the link. */
export async function insertLinkOrder(
  tx: Tx,
  { merNo, linkId, uses }: PaymentLink,
  tradeNo: string,
  at: Date,
): Promise<void> {
  await tx.query({
    text: 'insert into payment_link_orders (mer_no, link_id, trade_no, created_at) values ($1, $2, $3, $4)',
    values: [merNo, linkId, tradeNo, at],
  })
  if (uses === 'one')
    await tx.query({
      text: 'update payment_links set claimed_by = $3 where mer_no = $1 and link_id = $2',
      values: [merNo, linkId, tradeNo],
    })
}

/** Counts the open orders among the newest `most` orders of the link. Trade numbers sort by time. */
export async function countOpenOrders(tx: Tx, { merNo, linkId }: LinkKey, most: number): Promise<number> {
  const [row] = await tx.query<{ open: number }>({
    text: `
      select count(*)::int as open from (
        select trade_no from payment_link_orders where mer_no = $1 and link_id = $2 order by trade_no desc limit $3
      ) l join current_orders o on o.mer_no = $1 and o.trade_no = l.trade_no
      where o.state = ${State.processing}`,
    values: [merNo, linkId, most],
  })
  return row?.open ?? 0
}

type StateSum = { readonly state: StateNumber; readonly orders: number; readonly amount: bigint }

/** Sums the orders of a link by state, each with its amount, or with the received amount if that is lower. */
export async function sumOrders(db: Queryable, { merNo, linkId }: LinkKey): Promise<StateSum[]> {
  return db.query<StateSum>({
    text: `
      select o.state, count(*)::int as orders, sum(least(o.amount, coalesce(o.received, o.amount)))::bigint as amount
      from payment_link_orders l join current_orders o on o.mer_no = l.mer_no and o.trade_no = l.trade_no
      where l.mer_no = $1 and l.link_id = $2
      group by o.state`,
    values: [merNo, linkId],
  })
}

/** Returns the trade numbers of a link's orders, the newest first. */
export async function selectLinkOrders(
  db: Queryable,
  { merNo, linkId }: LinkKey,
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ trade_no: string }>({
    text: `
      select trade_no from payment_link_orders
      where mer_no = $1 and link_id = $2 and ($3::text is null or trade_no < $3)
      order by trade_no desc limit $4`,
    values: [merNo, linkId, before ?? null, limit],
  })
  return rows.map(({ trade_no: tradeNo }) => tradeNo)
}
