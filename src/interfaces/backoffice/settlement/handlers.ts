import { MARGIN } from '../../../money/ledger/account.ts'
import { ownersOf } from '../../../money/ledger/browse.ts'
import { merchantNames } from '../../../money/merchants/list-merchants.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { listReserves } from '../../../money/order-queries/list-dues.ts'
import { settleDue } from '../../../money/settlement/settle-due.ts'
import { actorOf } from '../../../people/roles/caller.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { needMerchant } from '../merchant-of-call.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import { type RunDeps, startRun } from '../runs/run.ts'
import { selectRuns } from '../runs/sql.ts'
import { describeRun } from '../runs/wire.ts'
import type { settlementApi } from './api.ts'

export type SettlementDeps = RunDeps & {
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

const RUNS_SHOWN = 20
const FAILURES_SHOWN = 100
const RESERVES_SHOWN = 1_000

export function createSettlementHandlers(deps: SettlementDeps): Handlers<typeof settlementApi> {
  const { db, clock } = deps
  return {
    async 'GET /settlement/runs'() {
      return { runs: (await selectRuns(db, 'settle', RUNS_SHOWN)).map(describeRun) }
    },

    async 'POST /settlement/runs'({ caller, body: { asOf, reason } }) {
      const until = asOf === undefined ? clock.now() : new Date(asOf)
      const audit = { action: 'settle', after: { asOf: until.toISOString() }, reason }
      const start = { kind: 'settle', by: actorOf(caller), audit }
      return { runId: await startRun(deps, start, () => settle(until)) }
    },

    async 'GET /reserves'() {
      const owners = await ownersOf(db, MARGIN, RESERVES_SHOWN)
      const names = await merchantNames(db, [...new Set(owners.map(({ merNo }) => merNo))])
      return {
        rows: owners.map(({ merNo, money }) => ({
          merNo,
          name: names.get(merNo) ?? '',
          money: toMoney(money),
        })),
      }
    },

    async 'GET /reserves/:merNo'({ params: { merNo } }) {
      const { name, timezone } = await needMerchant(deps, merNo)
      const days = await listReserves(db, merNo, timezone, 'day')
      return { name, days: days.map(({ money, ...day }) => ({ ...day, money: toMoney(money) })) }
    },
  }

  async function settle(asOf: Date) {
    const failures: string[] = []
    const failed = (merNo: number, error: unknown, tradeNo?: string) => {
      const what = tradeNo === undefined ? `merchant ${merNo}` : `order ${tradeNo} of merchant ${merNo}`
      failures.push(`${what}: ${error instanceof Error ? error.message : error}`)
    }
    const { sums, waiting } = await settleDue({ db, clock, failed }, asOf)
    return {
      asOf: asOf.toISOString(),
      sums: sums.map(({ kind, currency, orders, amount }) => {
        return { kind, currency, orders, amount: formatAmount(amount, currency) }
      }),
      waiting,
      failed: failures.length,
      failures: failures.slice(0, FAILURES_SHOWN),
    }
  }
}
