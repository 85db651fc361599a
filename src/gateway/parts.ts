// Opens the parts of a gateway in the order of their dependencies, and joins the results into one plain object. Each
// handler, page and worker declares in its type which fields of this object it uses.
import type { AuditWorker } from '../money/audit/worker.ts'
import type { Watchdog } from '../money/notifications/watchdog.ts'
import type { DeliveryWorker } from '../money/notifications/worker.ts'
import { makeDemo } from '../operator/demo/create-demo.ts'
import type { RequestLog } from '../platform/request-log/recorder.ts'
import type { OpenBins } from '../platform/runtime/bins-file.ts'
import type { ChannelsFileWatch } from '../rails/connections/watch-file.ts'
import {
  type OpenBatches,
  type OpenCaches,
  type OpenKey,
  openBatches,
  openCaches,
  openKey,
} from './open-money.ts'
import { type GatewayDeps, type OpenPlatform, openPlatform, requestLogOf } from './open-platform.ts'
import { type OpenRails, openRails } from './open-rails.ts'

export type Worker = { stop(): Promise<void> }
export type Woken = Worker & { poke(): void }

/** The workers that other parts use, and that therefore start first. */
export type FirstWorkers = {
  readonly bins: OpenBins
  readonly delivery: DeliveryWorker | undefined
  readonly watchdog: Watchdog
}

/**
 * Workers that requests wake (refunds, exports, bulk refunds), and workers whose state is a metric (audit, channels
 * file).
 */
type RunningWorkers = {
  refunds?: Woken
  exports?: Woken
  bulkRefunds?: Woken
  audit?: AuditWorker
  channelsFile?: ChannelsFileWatch | undefined
}

export type FirstParts = OpenPlatform & OpenKey & OpenCaches

export type Parts = FirstParts &
  OpenRails &
  FirstWorkers &
  OpenBatches & {
    readonly madeDemo: boolean
    readonly requestLog: RequestLog | undefined
    /** The running workers of this process. Empty until they have started. */
    readonly running: RunningWorkers
  }

export async function openParts(
  deps: GatewayDeps,
  startFirstWorkers: (parts: FirstParts) => Promise<FirstWorkers>,
): Promise<Parts> {
  const platform = await openPlatform(deps)
  // With a wrong master key, the start must fail before anything is stored with that key.
  const key = await openKey(platform)
  // The demo's merchant and rates must exist before the caches read them.
  const madeDemo = wantsDemo(platform) && (await makeDemo(platform))
  const parts = { ...platform, ...key, ...(await openCaches(platform)) }
  const requestLog = requestLogOf(platform, deps, parts.findMerchant)
  const rails = await openRails(parts, deps)
  // Steps that may fail come before the first worker starts. After a failure the database is closed, and a running
  // worker would still use it.
  const first = await startFirstWorkers(parts)
  const batches = openBatches(parts, first.delivery)
  return { ...parts, ...rails, ...first, ...batches, madeDemo, requestLog, running: {} }
}

function wantsDemo({ config }: OpenPlatform): boolean {
  return config.mode === 'sandbox' && config.role !== 'worker'
}
