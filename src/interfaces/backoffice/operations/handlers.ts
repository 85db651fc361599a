import { readWorstEndpoints } from '../../../money/notifications/endpoint-health.ts'
import { rebuildIndex } from '../../../money/order-queries/search/index-orders.ts'
import { type PlatformCounts, readPlatformCounts } from '../../../money/order-queries/search/read-counts.ts'
import { actorOf } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import { readHealth } from '../../../rails/routing/health.ts'
import { listPauses } from '../../../rails/routing/pauses.ts'
import type { Channels } from '../../../rails/routing/routing.ts'
import { toMoney } from '../money.ts'
import { toEndpoint } from '../overview/handlers.ts'
import { mapQueues, type QueuesDeps, readQueues } from '../queues/read-queues.ts'
import type { Handlers } from '../route.ts'
import { type RunDeps, startRun } from '../runs/run.ts'
import { selectRuns } from '../runs/sql.ts'
import { describeRun } from '../runs/wire.ts'
import type { operationsApi } from './api.ts'

export type Finding = {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly todo?: string
}

export type OperationsDeps = RunDeps &
  QueuesDeps & {
    readonly channels: Channels
    examine(found: (finding: Finding) => void): Promise<readonly Finding[]>
  }

const HOUR_MS = 3_600_000
const RUNS_SHOWN = 5

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
        today: compare(await readPlatformCounts(db, now)),
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

function compare(counts: readonly PlatformCounts[]) {
  return [...Map.groupBy(counts, ({ currency }) => currency)].map(([currency, some]) => {
    const of = (back: number) => {
      const { orders = 0, paid = 0, failed = 0, volume = 0n } = some.find((one) => one.back === back) ?? {}
      return { orders, paid, failed, volume: toMoney({ amount: volume, currency }) }
    }
    return { currency, today: of(0), yesterday: of(1), lastWeek: of(7) }
  })
}
