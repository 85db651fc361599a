// The search box: one text that may be a number, an e-mail address, the end of a card, an amount or a name. Groups of results,
// each only if the caller may see it.
import { merNoOf } from '../../base/id.ts'
import { findDispute } from '../../chargebacks/find-chargeback.ts'
import { listMerchants } from '../../merchants/list-merchants.ts'
import { findOrders, type OrderFilter } from '../../order-queries/search/find-orders.ts'
import type { FoundOrder } from '../../order-queries/search/found-order.ts'
import { findLink } from '../../payment-links/find-link.ts'
import { findNumberedPayout } from '../../payouts/find-payout.ts'
import type { Db } from '../../postgres/db.ts'
import { findRefund } from '../../refunds/find-refund.ts'
import { type Caller, isOperator, merchantOf } from '../caller.ts'
import type { Permission } from '../permissions.ts'
import { selectPeople } from '../sql.ts'
import { money } from './order-row.ts'

type Row = {
  readonly path: string
  readonly title: string
  readonly note: string
  readonly state?: string
  readonly money?: { amount: string; currency: string }
}

type Group = {
  readonly kind: 'orders' | 'refunds' | 'payouts' | 'disputes' | 'links' | 'people' | 'merchants'
  readonly rows: Row[]
}

/** Whose data is searched, and by whom: operators have other pages than staff. */
type Place = { readonly db: Db; readonly merNo: number; readonly isForAll: boolean }

const MOST_ROWS = 8

export async function searchEverything(
  db: Db,
  caller: Caller,
  named: number | undefined,
  text: string,
): Promise<Group[]> {
  const wanted = text.trim()
  const isForAll = isOperator(caller)
  const merNos = isForAll ? merchantsOf(wanted, named) : [merchantOf(caller, named)]
  const may = (permission: Permission) => caller.permissions.has(permission)
  const rowsBy = async (permission: Permission, find: (place: Place, text: string) => Promise<Row[]>) => {
    if (!may(permission)) return []
    const found = await Promise.all(merNos.map((merNo) => find({ db, merNo, isForAll }, wanted)))
    return found.flat()
  }
  const [orders, refunds, payouts, disputes, links, people, merchants] = await Promise.all([
    rowsBy('orders.read', orderRows),
    rowsBy('refunds.read', refundRows),
    rowsBy('payouts.read', payoutRows),
    rowsBy('disputes.read', disputeRows),
    rowsBy('links.read', linkRows),
    may('users.read') ? personRows(db, caller, wanted) : [],
    may('merchants.read') ? merchantRows(db, wanted) : [],
  ])
  return withRows([
    { kind: 'orders', rows: orders },
    { kind: 'refunds', rows: refunds },
    { kind: 'payouts', rows: payouts },
    { kind: 'disputes', rows: disputes },
    { kind: 'links', rows: links },
    { kind: 'people', rows: people },
    { kind: 'merchants', rows: merchants },
  ])
}

/**
 * The merchant that the operator looks at, and the one that a number of ours names: that number is found from everywhere,
 * and a merchant's own number may look like one of ours.
 */
function merchantsOf(text: string, named: number | undefined): number[] {
  const merNos = new Set([named, merNoOf(text)])
  return [...merNos].filter((merNo) => merNo !== undefined).filter((merNo) => merNo > 0)
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

async function orderRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found = new Map<string, FoundOrder>()
  for (const filter of readings(text)) {
    const { orders } = await findOrders(db, merNo, filter, undefined, MOST_ROWS)
    for (const order of orders) found.set(order.tradeNo, order)
    if (found.size >= MOST_ROWS) break
  }
  return [...found.values()].slice(0, MOST_ROWS).map((order) => ({
    path: orderPath(order.tradeNo, merNo, isForAll),
    title: order.merOrderNo,
    note: [order.payerName, order.email, order.cardLast4 && `•••• ${order.cardLast4}`]
      .filter(Boolean)
      .join(' · '),
    state: String(order.state),
    money: money(order.amount, order.currency),
  }))
}

/** Operators go on with this merchant, so the address says which it is. */
function orderPath(tradeNo: string, merNo: number, isForAll: boolean): string {
  return isForAll ? `/orders/${tradeNo}?merNo=${merNo}` : `/orders/${tradeNo}`
}

async function refundRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found =
    (await findRefund(db, { merNo, refundNo: text })) ?? (await findRefund(db, { merNo, merRefundNo: text }))
  if (found === undefined) return []
  return [
    {
      path: orderPath(found.tradeNo, merNo, isForAll),
      title: found.refundNo,
      note: `${found.merOrderNo} · ${found.state}`,
      money: money(found.money.amount, found.money.currency),
    },
  ]
}

/** The list with this payout only. */
async function payoutRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found = await findNumberedPayout(db, merNo, text)
  if (found === undefined) return []
  const list = isForAll ? `/merchant-payouts?merNo=${merNo}&` : '/payouts?'
  return [
    {
      path: `${list}number=${found.tradeNo}`,
      title: found.merOrderNo,
      note: [found.accountMasked, found.state].filter(Boolean).join(' · '),
      money: money(found.money.amount, found.money.currency),
    },
  ]
}

/** By the number of the disputed order. */
async function disputeRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found = await findDispute(db, merNo, text)
  if (found === undefined) return []
  return [
    {
      path: `${isForAll ? '/queues/disputes' : '/disputes/cases'}/${found.tradeNo}`,
      title: found.tradeNo,
      note: found.state,
      money: money(found.money.amount, found.money.currency),
    },
  ]
}

async function linkRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found = await findLink(db, text)
  if (found === undefined || found.merNo !== merNo) return []
  const { linkId, title, reference } = found
  return [{ path: `${isForAll ? '/merchant-links' : '/links'}/${linkId}`, title, note: reference }]
}

/** The caller's colleagues. */
async function personRows(db: Db, { merNo }: Caller, text: string): Promise<Row[]> {
  const people = await selectPeople(db, merNo, text, MOST_ROWS)
  return people.map(({ user_id, email, name, role }) => {
    return { path: `/settings/team/${user_id}`, title: name || email, note: `${email} · ${role}` }
  })
}

async function merchantRows(db: Db, text: string): Promise<Row[]> {
  const merchants = await listMerchants(db, { text }, MOST_ROWS)
  return merchants.map(({ merNo, name }) => {
    return { path: `/merchants/${merNo}`, title: name, note: String(merNo) }
  })
}
