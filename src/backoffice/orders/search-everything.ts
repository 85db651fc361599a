// The search box: one text that may be a number, an e-mail address, the end of a card, an amount or a name. Groups of results,
// each only if the caller may see it.
import type { Static } from 'typebox'
import { merNoOf } from '../../base/id.ts'
import { findDispute } from '../../chargebacks/find-chargeback.ts'
import { findOrders, type OrderFilter } from '../../order-queries/search/find-orders.ts'
import type { FoundOrder } from '../../order-queries/search/found-order.ts'
import { findNumberedPayout } from '../../payouts/find-payout.ts'
import { findRefund } from '../../refunds/find-refund.ts'
import { type Caller, isOperator, merchantOf } from '../caller.ts'
import type { Permission } from '../permissions.ts'
import type { SearchGroup } from './api.ts'
import { money } from './order-row.ts'
import {
  auditRows,
  beneficiaryRows,
  channelRows,
  linkRows,
  MOST_ROWS,
  merchantRows,
  notificationRows,
  type Place,
  personRows,
  type Row,
  reviewRows,
  roleRows,
  ruleRows,
  runRows,
  type SearchDeps,
  statementRows,
  suspenseRows,
} from './search-named.ts'

type Group = Static<typeof SearchGroup>
type Kind = Group['kind']
type Finds = (place: Place, text: string) => Promise<Row[]>

/** What belongs to a merchant, in the order of the answer. */
const ofMerchant: readonly (readonly [Kind, Permission, Finds])[] = [
  ['orders', 'orders.read', orderRows],
  ['refunds', 'refunds.read', refundRows],
  ['payouts', 'payouts.read', payoutRows],
  ['payoutRuns', 'payouts.read', runRows],
  ['beneficiaries', 'payouts.read', beneficiaryRows],
  ['disputes', 'disputes.read', disputeRows],
  ['reviews', 'reviews.read', reviewRows],
  ['links', 'links.read', linkRows],
  ['notifications', 'developers.read', notificationRows],
]

/** What belongs to the platform, or to the caller's own company. */
const ofCaller: readonly (readonly [Kind, Permission, Finds])[] = [
  ['people', 'users.read', personRows],
  ['roles', 'users.read', roleRows],
  ['merchants', 'merchants.read', merchantRows],
  ['channels', 'channels.read', channelRows],
  ['rules', 'risk.read', ruleRows],
  ['statements', 'reconciliation.read', statementRows],
  ['suspense', 'suspense.read', suspenseRows],
  ['audit', 'audit.read', auditRows],
]

export async function searchEverything(
  deps: SearchDeps,
  caller: Caller,
  named: number | undefined,
  text: string,
): Promise<Group[]> {
  const wanted = text.trim()
  const isForAll = isOperator(caller)
  const merNos = isForAll ? merchantsOf(wanted, named) : [merchantOf(caller, named)]
  const found = async (some: typeof ofMerchant, of: readonly number[]) => {
    const seen = some.filter(([, permission]) => caller.permissions.has(permission))
    return Promise.all(
      seen.map(async ([kind, , find]) => {
        const rows = await Promise.all(of.map((merNo) => find({ ...deps, merNo, isForAll }, wanted)))
        return { kind, rows: rows.flat() }
      }),
    )
  }
  const groups = await Promise.all([found(ofMerchant, merNos), found(ofCaller, [caller.merNo])])
  return groups.flat().filter(({ rows }) => rows.length > 0)
}

/**
 * The merchant that the operator looks at, and the one that a number of ours names: that number is found from everywhere,
 * and a merchant's own number may look like one of ours.
 */
function merchantsOf(text: string, named: number | undefined): number[] {
  const merNos = new Set([named, merNoOf(text)])
  return [...merNos].filter((merNo) => merNo !== undefined).filter((merNo) => merNo > 0)
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
