import { readWorstEndpoints } from '../../../money/notifications/endpoint-health.ts'
import { rebuildIndex } from '../../../money/order-queries/search/index-orders.ts'
import { readMerchantRates, readPlatformCounts } from '../../../money/order-queries/search/read-counts.ts'
import type { Rates } from '../../../money/rates/rates.ts'
import { actorOf } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import { addDays } from '../../../platform/base/local-day.ts'
import { type HealthOfChannel, readEarlierHealth, readHealth } from '../../../rails/routing/health.ts'
import { listPauses } from '../../../rails/routing/pauses.ts'
import type { Channels } from '../../../rails/routing/routing.ts'
import { toEndpoint } from '../overview/handlers.ts'
import { currenciesOf, totalOf } from '../overview/total.ts'
import { mapQueues, type QueuesDeps, readQueues } from '../queues/read-queues.ts'
import type { Handlers } from '../route.ts'
import { type RunDeps, startRun } from '../runs/run.ts'
import { selectRuns } from '../runs/sql.ts'
import { describeRun } from '../runs/wire.ts'
import type { operationsApi } from './api.ts'
import { failingOf, LEAST_NOW } from './failing.ts'

export type Finding = {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly todo?: string
}

export type OperationsDeps = RunDeps &
  QueuesDeps & {
    readonly channels: Channels
    readonly rates: Pick<Rates, 'find'>
    examine(found: (finding: Finding) => void): Promise<readonly Finding[]>
  }

const HOUR_MS = 3_600_000
const RUNS_SHOWN = 5
const DAYS = 14
/**
 * The maximum number of merchants whose usual rate is read. The merchants with the most failed payments are read first.
 */
const MOST_COMPARED = 100
const MOST_FAILING = 10

export function createOperationsHandlers(deps: OperationsDeps): Handlers<typeof operationsApi> {
  const { db, clock } = deps
  return {
    async 'GET /operations'() {
      const now = clock.now()
      const queues = await readQueues(deps)
      const [verify] = await selectRuns(db, 'verify', 1)
      const { count, next } = queues.disputesDue
      return {
        queues: mapQueues(queues, (one) => ({ count: one.count, since: one.since?.toISOString() ?? null })),
        disputesDue: { count, next: next?.toISOString() ?? null },
        channels: await readChannels(now),
        endpoints: (await readWorstEndpoints(db, now)).map(toEndpoint),
        verify: verify === undefined ? null : describeRun(verify),
      }
    },

    async 'GET /operations/payments'() {
      const now = clock.now()
      // A merchant's days are days in its own time zone. In the reply, the current day of every merchant has today's
      // date in UTC.
      const today = now.toISOString().slice(0, 10)
      const found = await readPlatformCounts(db, now, DAYS)
      const counts = found.map(({ back, ...count }) => ({ ...count, day: addDays(today, -back) }))
      const merchants = await readMerchantRates(db, now, { least: LEAST_NOW, limit: MOST_COMPARED })
      const compared = [
        ...(await readChannelRates(now)),
        ...merchants.map((one) => ({ kind: 'merchant' as const, ...one })),
      ]
      return {
        failing: failingOf(compared).slice(0, MOST_FAILING),
        total: totalOf(counts, { today, days: DAYS }, deps.rates.find),
        currencies: currenciesOf(counts, { today }),
      }
    },

    async 'GET /doctor'() {
      return { runs: (await selectRuns(db, 'doctor', RUNS_SHOWN)).map(describeRun) }
    },

    async 'POST /doctor'({ caller }) {
      const runId = await startRun(deps, { kind: 'doctor', by: actorOf(caller) }, async (report) => {
        const findings: Finding[] = []
        await deps.examine((finding) => {
          findings.push(finding)
          report({ findings: [...findings] })
        })
        return { findings }
      })
      return { runId }
    },

    async 'POST /search/rebuild'({ caller, body: { reason } }) {
      const at = clock.now()
      const line = {
        merNo: PLATFORM,
        at,
        actor: actorOf(caller),
        action: 'search.rebuild',
        subject: 'orders',
      }
      await rebuildIndex(audited(db, { ...line, reason }), at)
      return {}
    },
  }

  async function readChannelRates(now: Date) {
    const anHourAgo = new Date(now.getTime() - HOUR_MS)
    const health = await readHealth(db, anHourAgo)
    const names = [...health].filter(([, { calls }]) => calls >= LEAST_NOW).map(([name]) => name)
    const earlier = await readEarlierHealth(db, names, anHourAgo)
    return names.map((name) => ({
      kind: 'channel' as const,
      name,
      now: decidedOf(health.get(name)),
      usual: decidedOf(earlier.get(name)),
    }))
  }

  async function readChannels(now: Date) {
    const paused = new Set((await listPauses(db)).map(({ channel }) => channel))
    const health = await readHealth(db, new Date(now.getTime() - HOUR_MS))
    return [...new Set(deps.channels.all.map(({ name }) => name))].map((name) => {
      const { calls = 0, byOutcome, meanMs } = health.get(name) ?? {}
      const { failed = 0, unknown = 0 } = byOutcome ?? {}
      return { name, isPaused: paused.has(name), calls, failed, unknown, meanMs: meanMs ?? null }
    })
  }
}

/**
 * Counts a call as paid if the payment or payout is paid or in progress, or if the payer must act. Every other call
 * counts as failed.
 */
function decidedOf(health: HealthOfChannel | undefined) {
  const paid = health?.byOutcome.answered ?? 0
  return { paid, failed: (health?.calls ?? 0) - paid }
}
