import { countApprovals } from '../../../money/approvals/list-approvals.ts'
import { listNextDue } from '../../../money/chargebacks/find-chargeback.ts'
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
import type { Rates } from '../../../money/rates/rates.ts'
import { listWaiting } from '../../../money/refunds/find-refund.ts'
import { type Caller, merchantOf } from '../../../people/roles/caller.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { addDays, localTime } from '../../../platform/base/local-day.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { needMerchant } from '../merchant-of-call.ts'
import { money, toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import type { overviewApi } from './api.ts'
import { currenciesOf, sumsOf, totalOf } from './total.ts'

export type OverviewDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly rates: Pick<Rates, 'find'>
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function createOverviewHandlers(deps: OverviewDeps): Handlers<typeof overviewApi> {
  return {
    async 'GET /overview'({ caller, query }) {
      const merchant = await needMerchant(deps, merchantOf(caller, query.merNo))
      return readOverview(deps, merchant, caller)
    },
  }
}

export function toEndpoint(one: Endpoint) {
  return { ...one, lastAt: one.lastAt.toISOString() }
}

const DAYS = 30
const MOST_DECLINES = 10
const MOST_COUNTED = 100
const MOST_DUE = 3
const FAILED_WITHIN_MS = 7 * 86_400_000

async function readOverview({ db, clock, rates }: OverviewDeps, merchant: Merchant, caller: Caller) {
  const now = clock.now()
  const { merNo, timezone } = merchant
  const local = localTime(now, timezone)
  const [today, hour] = [local.slice(0, 10), Number(local.slice(11, 13))]
  const span = { from: addDays(today, 1 - DAYS), to: today }
  const [balances, counts, declines, attention] = await Promise.all([
    readBalancesAt(db, merNo),
    readCounts(db, merNo, { ...span, hour }),
    readDeclines(db, merNo, span, MOST_DECLINES),
    readAttention(db, merchant, caller, now),
  ])
  return {
    total: totalOf(counts, { today, days: DAYS }, rates.find),
    hour,
    currencies: currenciesOf(counts, { today }),
    balances: balances.map(({ currency, available, unsettled, margin }) => ({
      currency,
      available: money(available, currency),
      unsettled: money(unsettled, currency),
      margin: money(margin, currency),
    })),
    methods: methodsOf(counts),
    declines,
    attention,
  }
}

function methodsOf(counts: readonly DayCounts[]) {
  const groups = Map.groupBy(counts, ({ method, currency }) => `${method} ${currency}`)
  return [...groups.values()]
    .flatMap((some) =>
      some.slice(0, 1).map(({ method, currency }) => ({ method, currency, ...sumsOf(currency, some) })),
    )
    .sort((one, other) => other.orders - one.orders)
}

async function readAttention(db: Db, merchant: Merchant, { permissions }: Caller, now: Date) {
  const { merNo } = merchant
  const since = new Date(now.getTime() - FAILED_WITHIN_MS)
  const awaiting = { state: 'awaiting_approval', merNo } as const
  const [seesDisputes, seesKeys] = [permissions.has('disputes.read'), permissions.has('developers.read')]
  const [disputes, due, informationAsked, failedNotifications, endpoints, approvals, own, payouts, refunds] =
    await Promise.all([
      countInState(db, merNo, State.disputed, MOST_COUNTED),
      seesDisputes ? listNextDue(db, merNo, now, MOST_DUE) : [],
      countInState(db, merNo, State.informationAsked, MOST_COUNTED),
      countFailed(db, { merNo, since }, MOST_COUNTED),
      seesKeys ? readEndpoints(db, merNo, now) : [],
      countApprovals(db, { decider: 'merchant', merNo, now }),
      listPayouts(db, { ...awaiting, awaits: 'merchant' }),
      listPayouts(db, { ...awaiting, awaits: 'platform' }),
      listWaiting(db, merNo),
    ])
  return {
    disputes,
    disputesDue: due.map((one) => ({
      tradeNo: one.tradeNo,
      money: toMoney(one.money),
      answerBy: one.answerBy.toISOString(),
    })),
    informationAsked,
    failedNotifications,
    endpoints: endpoints.map(toEndpoint),
    endingKeys: (seesKeys ? merchant.keys : []).flatMap(({ keyId, retiresAt, usedAt }) =>
      retiresAt === undefined
        ? []
        : [{ keyId, retiresAt: retiresAt.toISOString(), usedAt: usedAt?.toISOString() ?? null }],
    ),
    approvals: Math.min(approvals.count + own.length, MOST_COUNTED),
    payoutsToApprove: Math.min(payouts.length, MOST_COUNTED),
    refundsToApprove: Math.min(refunds.length, MOST_COUNTED),
    mostCounted: MOST_COUNTED,
  }
}
