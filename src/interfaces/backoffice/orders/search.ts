// The search box. The text may be a number, a reference, an e-mail address, the last digits of a card, an amount or a
// name. Results are grouped by kind. A kind is searched only if the caller has the permission for the kind. Each result
// opens a page.

import type { Static } from 'typebox'
import { findDispute } from '../../../money/chargebacks/find-chargeback.ts'
import { listMerchants } from '../../../money/merchants/list-merchants.ts'
import { findNotification } from '../../../money/notifications/list-notifications.ts'
import { findPayment } from '../../../money/order-queries/find-payment.ts'
import { findOrders, type OrderFilter } from '../../../money/order-queries/search/find-orders.ts'
import type { FoundOrder } from '../../../money/order-queries/search/scan-orders.ts'
import { findLink, findLinksNamed } from '../../../money/payment-links/find-link.ts'
import { findNumberedPayout } from '../../../money/payouts/find-payout.ts'
import { findStatementsNamed } from '../../../money/reconciliation/statements.ts'
import { findRefund } from '../../../money/refunds/find-refund.ts'
import { reviewOf } from '../../../money/reviews/find-review.ts'
import { listRules } from '../../../money/risk/change-rules.ts'
import { findHeld } from '../../../money/suspense/book-suspense.ts'
import { type Caller, isOperator, merchantOf } from '../../../people/roles/caller.ts'
import type { Permission } from '../../../people/roles/permissions.ts'
import { definedRoles } from '../../../people/roles/roles.ts'
import { selectPeople } from '../../../people/users/store-users.ts'
import { readEntries } from '../../../platform/audit-log/read-entries.ts'
import { merNoOf, timeOf } from '../../../platform/base/id.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { searchBeneficiaries } from '../beneficiaries/sql.ts'
import { type ChannelsDeps, namesOf } from '../channels/handlers.ts'
import { toMoney } from '../money.ts'
import { searchRuns } from '../payouts/sql.ts'
import type { SearchGroup } from './api.ts'
import { stageOf } from './order-stage.ts'

export type SearchDeps = Pick<ChannelsDeps, 'channels' | 'rails'> & { readonly db: Db }

/**
 * The database and the merchant that a search reads. `isForAll` is true for operators, whose pages have other paths.
 */
type Place = SearchDeps & { readonly merNo: number; readonly isForAll: boolean }

type Row = {
  readonly path: string
  readonly title: string
  readonly note: string
  /** The stage of an order, or the state of anything else. */
  readonly state?: string
  /** The id of the found row. An id of the gateway contains the time of the row's creation. */
  readonly id?: string
  readonly money?: { amount: string; currency: string }
}

const MOST_ROWS = 8

type Group = Static<typeof SearchGroup>
type Kind = Group['kind']
type Finds = (place: Place, text: string) => Promise<Row[]>

/** The kinds of a merchant's data, in the order in which the page shows them. */
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

/** The kinds whose data belongs to the platform or to the caller's own company. */
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
        return { kind, rows: rows.flat().map(withTime) }
      }),
    )
  }
  const groups = await Promise.all([found(ofMerchant, merNos), found(ofCaller, [caller.merNo])])
  return groups.flat().filter(({ rows }) => rows.length > 0)
}

function withTime({ id = '', ...row }: Row) {
  return { ...row, ...(merNoOf(id) !== undefined && { at: timeOf(id).toISOString() }) }
}

/**
 * Returns the merchants that an operator's search covers: the merchant whose pages are open and, if the text is one of
 * the gateway's ids, the merchant whose number the id contains. Both are searched, because a merchant's own order
 * number may look like one of the gateway's ids.
 */
function merchantsOf(text: string, named: number | undefined): number[] {
  const merNos = new Set([named, merNoOf(text)])
  return [...merNos].filter((merNo) => merNo !== undefined).filter((merNo) => merNo > 0)
}

/** Returns the filters that the text may mean, the most likely filter first. */
function readings(text: string): OrderFilter[] {
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
    state: stageOf(order),
    id: order.tradeNo,
    money: toMoney(order),
  }))
}

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
      note: found.merOrderNo,
      state: found.state,
      id: found.refundNo,
      money: toMoney(found.money),
    },
  ]
}

/** Finds a payout. The result opens the list of payouts, filtered to this payout. */
async function payoutRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found = await findNumberedPayout(db, merNo, text)
  if (found === undefined) return []
  const list = isForAll ? `/merchant-payouts?merNo=${merNo}&` : '/payouts?'
  return [
    {
      path: `${list}number=${found.tradeNo}`,
      title: found.merOrderNo,
      note: found.accountMasked ?? '',
      state: found.state,
      id: found.tradeNo,
      money: toMoney(found.money),
    },
  ]
}

async function disputeRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found = await findDispute(db, merNo, text)
  if (found === undefined) return []
  return [
    {
      path: `${isForAll ? '/queues/disputes' : '/disputes/cases'}/${found.tradeNo}`,
      title: found.tradeNo,
      note: '',
      state: found.state,
      id: found.chargebackId,
      money: toMoney(found.money),
    },
  ]
}

async function linkRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const numbered = await findLink(db, text)
  const found = numbered === undefined ? await findLinksNamed(db, merNo, text, MOST_ROWS) : [numbered]
  return found
    .filter((link) => link.merNo === merNo)
    .map(({ linkId, title, reference }) => {
      return {
        path: `${isForAll ? '/merchant-links' : '/links'}/${linkId}`,
        title,
        note: reference,
        id: linkId,
      }
    })
}

/** Finds beneficiaries. Operators find none, because they have no page of beneficiaries. */
async function beneficiaryRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  if (isForAll) return []
  const found = await searchBeneficiaries(db, merNo, text, MOST_ROWS)
  return found.map(({ label, accountMasked, currency }) => {
    const path = `/payouts/beneficiaries?${new URLSearchParams({ name: label })}`
    return { path, title: label, note: `${accountMasked} · ${currency}` }
  })
}

/** Finds payout runs. Operators find none, because they have no page of payout runs. */
async function runRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  if (isForAll) return []
  const found = await searchRuns(db, merNo, text, MOST_ROWS)
  return found.map(({ runId, name, state }) => {
    return { path: `/payouts/runs/${runId}`, title: name, note: '', state, id: runId }
  })
}

async function reviewRows({ db, merNo, isForAll }: Place, tradeNo: string): Promise<Row[]> {
  const order = await findPayment(db, { merNo, tradeNo })
  const review = order && (await reviewOf(db, order))
  if (order === undefined || review === undefined) return []
  return [
    {
      path: `${isForAll ? '/queues/reviews' : '/disputes/reviews'}/${tradeNo}`,
      title: tradeNo,
      note: '',
      state: review.state,
      id: tradeNo,
      money: toMoney(order.money),
    },
  ]
}

async function notificationRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found = await findNotification(db, merNo, text)
  if (found === undefined) return []
  const path = isForAll
    ? `/merchant-notifications/${text}?merNo=${merNo}`
    : `/developers/notifications/${text}`
  return [{ path, title: text, note: found.event, state: found.state, id: text }]
}

async function personRows({ db, merNo }: Place, text: string): Promise<Row[]> {
  const people = await selectPeople(db, merNo, text, MOST_ROWS)
  return people.map(({ user_id, email, name, role }) => {
    return { path: `/settings/team/${user_id}`, title: name || email, note: `${email} · ${role}` }
  })
}

async function roleRows({ db, merNo }: Place, text: string): Promise<Row[]> {
  const roles = await definedRoles(db, merNo)
  return roles
    .filter((role) => contains(role, text))
    .slice(0, MOST_ROWS)
    .map((role) => ({ path: '/settings/roles', title: role, note: '' }))
}

async function merchantRows({ db }: Place, text: string): Promise<Row[]> {
  const merchants = await listMerchants(db, { text }, MOST_ROWS)
  return merchants.map(({ merNo, name }) => {
    return { path: `/merchants/${merNo}`, title: name, note: String(merNo) }
  })
}

async function channelRows(place: Place, text: string): Promise<Row[]> {
  return namesOf(place)
    .filter((name) => contains(name, text))
    .slice(0, MOST_ROWS)
    .map((name) => ({ path: '/channels', title: name, note: '' }))
}

async function ruleRows({ db }: Place, text: string): Promise<Row[]> {
  const rules = await listRules(db)
  return rules
    .filter(({ ruleId, name }) => ruleId === text || contains(name, text))
    .slice(0, MOST_ROWS)
    .map(({ ruleId, name, state }) => ({ path: `/risk/rules/${ruleId}`, title: name, note: '', state }))
}

async function statementRows({ db }: Place, text: string): Promise<Row[]> {
  const found = await findStatementsNamed(db, text, MOST_ROWS)
  return found.map(({ statementId, channel, fileName }) => {
    return { path: `/books/reconciliation/${statementId}`, title: fileName, note: channel, id: statementId }
  })
}

/** Finds money in suspense. The text may be its id, the trade number of its order, or the channel's reference. */
async function suspenseRows({ db }: Place, text: string): Promise<Row[]> {
  const found = await findHeld(db, text, MOST_ROWS)
  return found.map(({ merNo, suspenseId, tradeNo, reference, money: held }) => ({
    path: `/queues/suspense?merNo=${merNo}`,
    title: tradeNo ?? suspenseId,
    note: reference,
    id: suspenseId,
    money: toMoney(held),
  }))
}

/**
 * Finds the last audit line with exactly this subject, in the log of the caller's company. If there is no such line and
 * the subject is one of the gateway's ids, an operator gets the last such line in the log of the id's merchant.
 */
async function auditRows({ db, merNo, isForAll }: Place, subject: string): Promise<Row[]> {
  const named = isForAll ? merNoOf(subject) : undefined
  const merNos = [...new Set([merNo, named])].filter((one) => one !== undefined)
  const last = await Promise.all(merNos.map((one) => readEntries(db, { merNo: one, subject }, 1)))
  const path = `/settings/audit?${new URLSearchParams({ subject })}`
  return last
    .flat()
    .slice(0, 1)
    .map(({ action, actor, entry_id: id }) => ({ path, title: subject, note: `${action} · ${actor}`, id }))
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
