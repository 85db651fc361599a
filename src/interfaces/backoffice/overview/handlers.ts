import { countApprovals } from '../../../money/approvals/list-approvals.ts'
import { readBalancesAt } from '../../../money/ledger/read-balances.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { readEndpoints } from '../../../money/notifications/endpoint-health.ts'
import { countFailed } from '../../../money/notifications/list-notifications.ts'
import type { Endpoint } from '../../../money/notifications/notification.ts'
import {
  countInState,
  type DayCounts,
  readCounts,
  readDeclines,
} from '../../../money/order-queries/search/read-counts.ts'
import { State } from '../../../money/orders/order.ts'
import { listPayouts } from '../../../money/payouts/find-payout.ts'
import { listWaiting } from '../../../money/refunds/find-refund.ts'
import { merchantOf } from '../../../people/roles/caller.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { addDays, localTime } from '../../../platform/base/local-day.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { needMerchant } from '../merchant-of-call.ts'
import { money } from '../money.ts'
import type { Handlers } from '../route.ts'
import type { overviewApi } from './api.ts'

export type OverviewDeps = {
  readonly db: Db
  readonly clock: Clock
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function createOverviewHandlers(deps: OverviewDeps): Handlers<typeof overviewApi> {
  return {
    async 'GET /overview'({ caller, query }) {
      const merchant = await needMerchant(deps, merchantOf(caller, query.merNo))
      const now = deps.clock.now()
      const seesEndpoints = caller.permissions.has('developers.read')
      const endpoints = seesEndpoints ? await readEndpoints(deps.db, merchant.merNo, now) : []
      return { ...(await readOverview(deps.db, merchant, now)), endpoints: endpoints.map(toEndpoint) }
    },
  }
}

export function toEndpoint(one: Endpoint) {
  return { ...one, lastAt: one.lastAt.toISOString() }
}

const DAYS = 30
const MOST_DECLINES = 10
const MOST_COUNTED = 100
const FAILED_WITHIN_MS = 7 * 86_400_000

async function readOverview(db: Db, merchant: Merchant, now: Date) {
  const { merNo, timezone } = merchant
  const local = localTime(now, timezone)
  const [today, hour] = [local.slice(0, 10), Number(local.slice(11, 13))]
  const span = { from: addDays(today, 1 - DAYS), to: today }
  const [balances, days, byNow, declines, attention] = await Promise.all([
    readBalancesAt(db, merNo),
    readCounts(db, merNo, span),
    readCounts(db, merNo, { from: addDays(today, -7), to: today, beforeHour: hour + 1 }),
    readDeclines(db, merNo, span, MOST_DECLINES),
    readAttention(db, merNo, now),
  ])
  return {
    timezone,
    ...span,
    balances: balances.map(({ currency, available, unsettled, margin }) => ({
      currency,
      available: money(available, currency),
      unsettled: money(unsettled, currency),
      margin: money(margin, currency),
    })),
    today: compare(byNow, today),
    days: days.map(({ volume, ...counts }) => ({ ...counts, volume: money(volume, counts.currency) })),
    declines,
    attention,
  }
}

function compare(counts: readonly DayCounts[], today: string) {
  const [yesterday, lastWeek] = [addDays(today, -1), addDays(today, -7)]
  const shown = counts.filter(({ day }) => [today, yesterday, lastWeek].includes(day))
  const currencies = [...new Set(shown.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const of = (day: string) => sumOf(shown, day, currency)
    return { currency, today: of(today), yesterday: of(yesterday), lastWeek: of(lastWeek) }
  })
}

function sumOf(counts: readonly DayCounts[], day: string, currency: string) {
  const own = counts.filter((one) => one.day === day && one.currency === currency)
  const add = (of: (one: DayCounts) => number) => own.reduce((sum, one) => sum + of(one), 0)
  const volume = own.reduce((sum, one) => sum + one.volume, 0n)
  return {
    day,
    orders: add((one) => one.orders),
    paid: add((one) => one.paid),
    failed: add((one) => one.failed),
    volume: money(volume, currency),
  }
}

async function readAttention(db: Db, merNo: number, now: Date) {
  const since = new Date(now.getTime() - FAILED_WITHIN_MS)
  const awaiting = { state: 'awaiting_approval', merNo } as const
  const [disputes, informationAsked, failedNotifications, approvals, own, payouts, refunds] =
    await Promise.all([
      countInState(db, merNo, State.disputed, MOST_COUNTED),
      countInState(db, merNo, State.informationAsked, MOST_COUNTED),
      countFailed(db, { merNo, since }, MOST_COUNTED),
      countApprovals(db, { decider: 'merchant', merNo, now }),
      listPayouts(db, { ...awaiting, awaits: 'merchant' }),
      listPayouts(db, { ...awaiting, awaits: 'platform' }),
      listWaiting(db, merNo),
    ])
  return {
    disputes,
    informationAsked,
    failedNotifications,
    approvals: Math.min(approvals.count + own.length, MOST_COUNTED),
    payoutsToApprove: Math.min(payouts.length, MOST_COUNTED),
    refundsToApprove: Math.min(refunds.length, MOST_COUNTED),
    mostCounted: MOST_COUNTED,
  }
}
