// What the search finds besides orders and what was made of them: things that people gave a name, and those whose number is
// ours. Each opens a page that shows it.

import { readEntries } from '../../audit-log/read-entries.ts'
import { merNoOf } from '../../base/id.ts'
import { listMerchants } from '../../merchants/list-merchants.ts'
import { findNotification } from '../../notifications/list-notifications.ts'
import { findPayment } from '../../order-queries/find-payment.ts'
import { findLink, findLinksNamed } from '../../payment-links/find-link.ts'
import type { Db } from '../../postgres/db.ts'
import { findStatementsNamed } from '../../reconciliation/list-statements.ts'
import { reviewOf } from '../../reviews/find-review.ts'
import { listRules } from '../../risk/change-rules.ts'
import { findHeld } from '../../suspense/book-suspense.ts'
import { searchBeneficiaries } from '../beneficiaries/sql.ts'
import { type ChannelsDeps, namesOf } from '../channels/handlers.ts'
import { searchRuns } from '../payouts/sql.ts'
import { selectPeople } from '../sql.ts'
import { selectRoles } from '../users/role-sql.ts'
import { money } from './order-row.ts'

export type Row = {
  readonly path: string
  readonly title: string
  readonly note: string
  readonly state?: string
  readonly money?: { amount: string; currency: string }
}

export type SearchDeps = Pick<ChannelsDeps, 'channels' | 'rails'> & { readonly db: Db }

/** Whose data is searched, and by whom: operators have other pages than staff. */
export type Place = SearchDeps & { readonly merNo: number; readonly isForAll: boolean }

export const MOST_ROWS = 8

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

/** By its number, its title or its reference. */
export async function linkRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const numbered = await findLink(db, text)
  const found = numbered === undefined ? await findLinksNamed(db, merNo, text, MOST_ROWS) : [numbered]
  return found
    .filter((link) => link.merNo === merNo)
    .map(({ linkId, title, reference }) => {
      return { path: `${isForAll ? '/merchant-links' : '/links'}/${linkId}`, title, note: reference }
    })
}

/** The list with this name only. Operators have no page of them. */
export async function beneficiaryRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  if (isForAll) return []
  const found = await searchBeneficiaries(db, merNo, text, MOST_ROWS)
  return found.map(({ label, accountMasked, currency }) => {
    const path = `/payouts/beneficiaries?${new URLSearchParams({ name: label })}`
    return { path, title: label, note: `${accountMasked} · ${currency}` }
  })
}

/** Operators have no page of them. */
export async function runRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  if (isForAll) return []
  const found = await searchRuns(db, merNo, text, MOST_ROWS)
  return found.map(({ runId, name, state }) => ({ path: `/payouts/runs/${runId}`, title: name, note: state }))
}

/** By the number of the reviewed order. */
export async function reviewRows({ db, merNo, isForAll }: Place, tradeNo: string): Promise<Row[]> {
  const order = await findPayment(db, { merNo, tradeNo })
  const review = order && (await reviewOf(db, order))
  if (order === undefined || review === undefined) return []
  return [
    {
      path: `${isForAll ? '/queues/reviews' : '/disputes/reviews'}/${tradeNo}`,
      title: tradeNo,
      note: review.state,
      money: money(order.money.amount, order.money.currency),
    },
  ]
}

export async function notificationRows({ db, merNo, isForAll }: Place, text: string): Promise<Row[]> {
  const found = await findNotification(db, merNo, text)
  if (found === undefined) return []
  const path = isForAll
    ? `/merchant-notifications/${text}?merNo=${merNo}`
    : `/developers/notifications/${text}`
  return [{ path, title: text, note: `${found.event} · ${found.state}` }]
}

/** The caller's colleagues. */
export async function personRows({ db, merNo }: Place, text: string): Promise<Row[]> {
  const people = await selectPeople(db, merNo, text, MOST_ROWS)
  return people.map(({ user_id, email, name, role }) => {
    return { path: `/settings/team/${user_id}`, title: name || email, note: `${email} · ${role}` }
  })
}

/** Those that the caller's company has made itself; all are on the page of roles. */
export async function roleRows({ db, merNo }: Place, text: string): Promise<Row[]> {
  const roles = await selectRoles(db, merNo)
  return roles
    .filter(({ role }) => contains(role, text))
    .slice(0, MOST_ROWS)
    .map(({ role }) => ({ path: '/settings/roles', title: role, note: '' }))
}

export async function merchantRows({ db }: Place, text: string): Promise<Row[]> {
  const merchants = await listMerchants(db, { text }, MOST_ROWS)
  return merchants.map(({ merNo, name }) => {
    return { path: `/merchants/${merNo}`, title: name, note: String(merNo) }
  })
}

/** All are on one page. */
export async function channelRows(place: Place, text: string): Promise<Row[]> {
  return namesOf(place)
    .filter((name) => contains(name, text))
    .slice(0, MOST_ROWS)
    .map((name) => ({ path: '/channels', title: name, note: '' }))
}

export async function ruleRows({ db }: Place, text: string): Promise<Row[]> {
  const rules = await listRules(db)
  return rules
    .filter(({ ruleId, name }) => ruleId === text || contains(name, text))
    .slice(0, MOST_ROWS)
    .map(({ ruleId, name, state }) => ({ path: `/risk/rules/${ruleId}`, title: name, note: state }))
}

export async function statementRows({ db }: Place, text: string): Promise<Row[]> {
  const found = await findStatementsNamed(db, text, MOST_ROWS)
  return found.map(({ statementId, channel, fileName }) => {
    return { path: `/books/reconciliation/${statementId}`, title: fileName, note: channel }
  })
}

/** Money that waits, by our number, its order's or the channel's reference. The page has what waits of that merchant. */
export async function suspenseRows({ db }: Place, text: string): Promise<Row[]> {
  const found = await findHeld(db, text, MOST_ROWS)
  return found.map(({ merNo, suspenseId, tradeNo, reference, money: held }) => ({
    path: `/queues/suspense?merNo=${merNo}`,
    title: tradeNo ?? suspenseId,
    note: reference,
    money: money(held.amount, held.currency),
  }))
}

/** All lines about one thing, by its whole name: of the caller's company, or of the platform and the merchant in a number of ours. */
export async function auditRows({ db, merNo, isForAll }: Place, subject: string): Promise<Row[]> {
  const named = isForAll ? merNoOf(subject) : undefined
  const merNos = [...new Set([merNo, named])].filter((one) => one !== undefined)
  const last = await Promise.all(merNos.map((one) => readEntries(db, { merNo: one, subject }, 1)))
  const path = `/settings/audit?${new URLSearchParams({ subject })}`
  return last
    .flat()
    .slice(0, 1)
    .map(({ action, actor }) => ({ path, title: subject, note: `${action} · ${actor}` }))
}
