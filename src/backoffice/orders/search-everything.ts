// The search box: one text that may be a number, an e-mail address, the end of a card, an amount or a name. Groups of results,
// each only if the caller may see it.
import { merNoOf } from '../../base/id.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { findOrders, type OrderFilter } from '../../order-queries/search/find-orders.ts'
import type { FoundOrder } from '../../order-queries/search/found-order.ts'
import { findPayout } from '../../payouts/find-payout.ts'
import type { Db } from '../../postgres/db.ts'
import { findRefund } from '../../refunds/find-refund.ts'
import { type Caller, isOperator, merchantOf } from '../caller.ts'
import type { Permission } from '../permissions.ts'
import { selectPeople } from '../sql.ts'
import { money } from './order-row.ts'

export type SearchDeps = {
  readonly db: Db
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

type Row = {
  readonly path: string
  readonly title: string
  readonly note: string
  readonly state?: string
  readonly money?: { amount: string; currency: string }
}

type Group = {
  readonly kind: 'orders' | 'refunds' | 'payouts' | 'people' | 'merchants'
  readonly rows: Row[]
}

const MOST_ROWS = 8

export async function searchEverything(
  deps: SearchDeps,
  caller: Caller,
  named: number | undefined,
  text: string,
): Promise<Group[]> {
  const wanted = text.trim()
  // A number of ours names its merchant, so operators need not choose one first.
  const merNo = isOperator(caller) ? (named ?? merNoOf(wanted)) : merchantOf(caller, named)
  const may = (permission: Permission) => caller.permissions.has(permission)
  const merchants = may('merchants.read') ? await merchantRows(deps, wanted) : []
  const people = may('users.read') ? await personRows(deps.db, caller, wanted) : []
  const everywhere: Group[] = [
    { kind: 'people', rows: people },
    { kind: 'merchants', rows: merchants },
  ]
  if (merNo === undefined || merNo === 0) return withRows(everywhere)
  const [orders, refunds, payouts] = await Promise.all([
    may('orders.read') ? orderRows(deps.db, merNo, wanted) : [],
    may('refunds.read') ? refundRows(deps.db, merNo, wanted) : [],
    may('payouts.read') ? payoutRows(deps.db, merNo, wanted) : [],
  ])
  return withRows([
    { kind: 'orders', rows: orders },
    { kind: 'refunds', rows: refunds },
    { kind: 'payouts', rows: payouts },
    ...everywhere,
  ])
}

function withRows(groups: readonly Group[]): Group[] {
  return groups.filter(({ rows }) => rows.length > 0)
}

/** What a text may mean, likeliest first. */
export function readings(text: string): OrderFilter[] {
  if (text.includes('@')) return [{ email: text }]
  const numbers: OrderFilter[] = [{ number: text }, { reference: text }]
  if (/^\d{4}$/.test(text)) return [...numbers, { card: text }, { amount: text }]
  if (/^\d{1,15}(\.\d{1,9})?$/.test(text)) return [...numbers, { amount: text }]
  return [...numbers, { name: text }]
}

async function orderRows(db: Db, merNo: number, text: string): Promise<Row[]> {
  const found = new Map<string, FoundOrder>()
  for (const filter of readings(text)) {
    const { orders } = await findOrders(db, merNo, filter, undefined, MOST_ROWS)
    for (const order of orders) found.set(order.tradeNo, order)
    if (found.size >= MOST_ROWS) break
  }
  return [...found.values()].slice(0, MOST_ROWS).map((order) => ({
    path: `/orders/${order.tradeNo}`,
    title: order.merOrderNo,
    note: [order.payerName, order.email, order.cardLast4 && `•••• ${order.cardLast4}`]
      .filter(Boolean)
      .join(' · '),
    state: String(order.state),
    money: money(order.amount, order.currency),
  }))
}

async function refundRows(db: Db, merNo: number, text: string): Promise<Row[]> {
  const found =
    (await findRefund(db, { merNo, refundNo: text })) ?? (await findRefund(db, { merNo, merRefundNo: text }))
  if (found === undefined) return []
  return [
    {
      path: `/orders/${found.tradeNo}`,
      title: found.refundNo,
      note: `${found.merOrderNo} · ${found.state}`,
      money: money(found.money.amount, found.money.currency),
    },
  ]
}

async function payoutRows(db: Db, merNo: number, text: string): Promise<Row[]> {
  const found =
    (await findPayout(db, { merNo, tradeNo: text })) ?? (await findPayout(db, { merNo, merOrderNo: text }))
  if (found === undefined) return []
  return [
    {
      path: `/payouts/${found.tradeNo}`,
      title: found.merOrderNo,
      note: [found.accountMasked, found.state].filter(Boolean).join(' · '),
      money: money(found.money.amount, found.money.currency),
    },
  ]
}

/** The caller's colleagues. */
async function personRows(db: Db, { merNo }: Caller, text: string): Promise<Row[]> {
  const people = await selectPeople(db, merNo, text, MOST_ROWS)
  return people.map(({ user_id, email, name, role }) => {
    return { path: `/settings/team/${user_id}`, title: name || email, note: `${email} · ${role}` }
  })
}

async function merchantRows({ findMerchant }: SearchDeps, text: string): Promise<Row[]> {
  const merchant = /^\d{1,10}$/.test(text) ? await findMerchant(Number(text)) : undefined
  if (merchant === undefined) return []
  return [{ path: `/merchants/${merchant.merNo}`, title: merchant.name, note: String(merchant.merNo) }]
}
