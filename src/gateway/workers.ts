// All background workers of a gateway, with their intervals and purposes. Any number of nodes may run a worker: a
// worker claims rows by a lease or by `skip locked`, takes a lock, or does work that may be done twice. A process with
// the role `api` runs only the workers that have `inApi`. Some timers are in other files: those of the caches of tables
// (platform/postgres/live-copy.ts), the health of the database, and the buffer of the request log.
import { startAlerts, startCleaning } from '../interfaces/backoffice/alerts/worker.ts'
import { startBulkRefunds } from '../interfaces/backoffice/bulk-refunds/worker.ts'
import { startExports } from '../interfaces/backoffice/exports/worker.ts'
import { startPayoutRuns, startRunExpiry } from '../interfaces/backoffice/payouts/worker.ts'
import { startAsking } from '../interfaces/callbacks/ask-worker.ts'
import { holdExams } from '../interfaces/exam/hold.ts'
import { startAudit } from '../money/audit/worker.ts'
import { startDisputes, startReminders } from '../money/chargebacks/worker.ts'
import { startResends } from '../money/notifications/resend-notifications.ts'
import { openSender } from '../money/notifications/send.ts'
import { startWatchdog, type Watchdog } from '../money/notifications/watchdog.ts'
import { type DeliveryWorker, startDelivery } from '../money/notifications/worker.ts'
import { startMilestoneCheck, startMilestones } from '../money/order-queries/milestone-worker.ts'
import { startIndexing } from '../money/order-queries/search/index-worker.ts'
import { startFolding } from '../money/orders/fold-worker.ts'
import { startHostedWorker } from '../money/payments/hosted/worker.ts'
import { startResolver } from '../money/payments/worker.ts'
import { startPayoutWorker } from '../money/payouts/worker.ts'
import { startRefundWorker } from '../money/refunds/worker.ts'
import { startFileCleaning, startReturns } from '../money/reviews/worker.ts'
import { startRiskRetention } from '../money/risk/worker.ts'
import { startSettlement } from '../money/settlement/worker.ts'
import type { Interval } from '../platform/concurrency/repeat.ts'
import { startMail, startMailCleaning } from '../platform/mail/worker.ts'
import { startRetention } from '../platform/request-log/worker.ts'
import { type OpenBins, openBins } from '../platform/runtime/bins-file.ts'
import { watchChannelsFile } from '../rails/connections/watch-file.ts'
import { startWritingHealth } from '../rails/routing/health.ts'
import { startWatching } from '../rails/toolkit/records/watch-worker.ts'
import type { OpenPlatform } from './open-platform.ts'
import type { FirstParts, FirstWorkers, Parts, Woken, Worker } from './parts.ts'

type Entry<Opened, Started> = {
  readonly name: string
  /** The pause between two rounds. A woken worker begins its next round at once. */
  readonly everyMs: number
  readonly purpose: string
  /** True if processes with the role `api` run this worker too. */
  readonly inApi?: true
  readonly start: (opened: Opened & Interval) => Started
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const bins: Entry<OpenPlatform, Promise<OpenBins>> = {
  name: 'table of BINs',
  everyMs: 15 * SECOND_MS,
  purpose: 'reads the table of BINs, and reads it again when its file has changed',
  inApi: true,
  start: ({ config, log, everyMs }) => openBins({ file: config.binsFile, log, everyMs }),
}

const delivery: Entry<FirstParts, DeliveryWorker> = {
  name: 'notifications',
  everyMs: 50,
  purpose: 'claims and sends due notifications, and continues those of workers that died',
  start: (parts) =>
    startDelivery({
      ...parts,
      platformKey: parts.platformKey.privateKey,
      sender:
        parts.config.mode === 'sandbox' ? holdExams(openSender(parts.config)) : openSender(parts.config),
      minuteMs: parts.config.minuteMs,
      observe: parts.metrics.delivery,
    }),
}

const watchdog: Entry<OpenPlatform, Watchdog> = {
  name: 'watchdog of notifications',
  everyMs: 5 * SECOND_MS,
  purpose: 'counts overdue notifications, also if no process delivers them',
  inApi: true,
  start: startWatchdog,
}

const table: readonly Entry<Parts, Worker | undefined>[] = [
  {
    name: 'resolver',
    everyMs: 500,
    purpose: 'asks channels about payments whose outcome is unknown, and cancels those that have expired',
    start: startResolver,
  },
  {
    name: 'hosted orders',
    everyMs: SECOND_MS,
    purpose: 'ends orders of our pages whose time is over',
    start: startHostedWorker,
  },
  {
    name: 'questions',
    everyMs: 500,
    purpose: 'asks channels about references that a callback or a statement has named',
    start: startAsking,
  },
  {
    name: 'channel work',
    everyMs: 200,
    purpose: 'runs the background work of channels: reading blocks of a chain, or files of a bank',
    start: (parts) => startWatching({ ...parts, watchers: parts.connections.watchers }),
  },
  {
    name: 'refunds',
    everyMs: 500,
    purpose: 'sends accepted refunds to their channels, and asks about them',
    start: (parts) => wake(parts, 'refunds', startRefundWorker(parts)),
  },
  {
    name: 'payouts',
    everyMs: 500,
    purpose: 'sends accepted payouts to their rails, and asks about them',
    start: startPayoutWorker,
  },
  {
    name: 'payout runs',
    everyMs: 500,
    purpose: 'turns the approved lines of a payout run into payouts',
    start: startPayoutRuns,
  },
  {
    name: 'expiry of payout runs',
    everyMs: MINUTE_MS,
    purpose: 'ends payout runs that nobody has approved in time',
    start: startRunExpiry,
  },
  {
    name: 'reviews',
    everyMs: SECOND_MS,
    purpose: 'returns the money of rejected payments through their channels',
    start: startReturns,
  },
  {
    name: 'cleaning of files',
    everyMs: HOUR_MS,
    purpose: 'deletes files for reviews that were uploaded a week ago and never submitted',
    start: startFileCleaning,
  },
  {
    name: 'disputes',
    everyMs: 5 * SECOND_MS,
    purpose: "reads the channels' lists of disputes, and takes or gives back the money",
    start: (parts) => startDisputes({ ...parts, minuteMs: parts.config.minuteMs }),
  },
  {
    name: 'reminders of disputes',
    everyMs: MINUTE_MS,
    purpose: 'reminds merchants of disputes whose deadline is near',
    start: (parts) => startReminders({ ...parts, minuteMs: parts.config.minuteMs }),
  },
  {
    name: 'settlement',
    everyMs: MINUTE_MS,
    purpose: 'makes the money of due orders available, and releases their margin',
    start: startSettlement,
  },
  {
    name: 'folding',
    everyMs: SECOND_MS,
    purpose: 'adds the deltas of balances and daily totals to their sums',
    start: startFolding,
  },
  {
    name: 'audit',
    everyMs: 6 * HOUR_MS,
    purpose: 'checks every row of the books, for the first time ten minutes after the start',
    start: (parts) => {
      parts.running.audit = startAudit({ ...parts, alarm: parts.metrics.alarm })
      return parts.running.audit
    },
  },
  {
    name: 'milestones',
    everyMs: 30 * SECOND_MS,
    purpose: 'stores the snapshots that make order lists fast',
    start: startMilestones,
  },
  {
    name: 'check of milestones',
    everyMs: HOUR_MS,
    purpose: 'compares those snapshots with the orders, and deletes wrong ones',
    start: startMilestoneCheck,
  },
  {
    name: 'search index',
    everyMs: SECOND_MS,
    purpose: 'writes the keys by which the back office finds orders; pauses only when all orders have theirs',
    start: startIndexing,
  },
  {
    name: 'resends',
    everyMs: SECOND_MS,
    purpose: 'sends notifications again that people have asked for in bulk',
    start: startResends,
  },
  {
    name: 'exports',
    everyMs: 2 * SECOND_MS,
    purpose: 'writes exports, also those on a schedule, and deletes expired ones',
    start: (parts) => wake(parts, 'exports', startExports(parts)),
  },
  {
    name: 'bulk refunds',
    everyMs: 2 * SECOND_MS,
    purpose: 'applies for the refunds of a bulk refund',
    start: (parts) =>
      wake(parts, 'bulkRefunds', startBulkRefunds({ ...parts, poke: () => parts.running.refunds?.poke() })),
  },
  {
    name: 'alerts',
    everyMs: SECOND_MS,
    purpose: 'writes mails about events to those who want them',
    start: startAlerts,
  },
  {
    name: 'cleaning of people',
    everyMs: 10 * MINUTE_MS,
    purpose: 'deletes expired links, challenges and registrations, and old tries to sign in',
    start: startCleaning,
  },
  {
    name: 'mail',
    everyMs: SECOND_MS,
    purpose: 'sends mails',
    start: (parts) => startMail({ ...parts, minuteMs: parts.config.minuteMs }),
  },
  {
    name: 'cleaning of mails',
    everyMs: HOUR_MS,
    purpose: 'deletes mails that were sent or given up 30 days ago',
    start: startMailCleaning,
  },
  {
    name: 'retention of the request log',
    everyMs: MINUTE_MS,
    purpose: 'deletes logged requests whose time is over',
    start: (parts) => startRetention({ ...parts, days: parts.config.requestLogDays }),
  },
  {
    name: 'retention of risk',
    everyMs: MINUTE_MS,
    purpose:
      'deletes uses that no velocity rule counts any more, old hits, and list entries that expired long ago',
    start: startRiskRetention,
  },
  {
    name: 'health of channels',
    everyMs: 5 * SECOND_MS,
    purpose: 'writes the counted outcomes of calls, and deletes counts that are a week old',
    inApi: true,
    start: startWritingHealth,
  },
  {
    name: 'channels file',
    everyMs: 5 * SECOND_MS,
    purpose: 'reads the channels file and its secrets again, and replaces the channels that have changed',
    inApi: true,
    start({ channelsFile, running, everyMs }) {
      running.channelsFile = channelsFile && watchChannelsFile({ ...channelsFile, everyMs })
      return running.channelsFile
    },
  },
]

/**
 * Starts the workers that other parts need. For example, batches of payments hand notifications to the delivery worker.
 */
export async function startFirstWorkers(parts: FirstParts): Promise<FirstWorkers> {
  return {
    bins: await run(bins, parts),
    delivery: isRunBy(parts, delivery) ? run(delivery, parts) : undefined,
    watchdog: run(watchdog, parts),
  }
}

/** Starts the workers of `table`. Returns all workers of the process, including those of `startFirstWorkers`. */
export function startWorkers(parts: Parts): Worker[] {
  const entries = table.filter((entry) => isRunBy(parts, entry))
  const first = [{ stop: parts.bins.close }, parts.watchdog, parts.delivery]
  return [...first, ...entries.map((entry) => run(entry, parts))].filter((worker) => worker !== undefined)
}

function isRunBy({ config }: Pick<OpenPlatform, 'config'>, entry: { readonly inApi?: true }): boolean {
  return entry.inApi === true || config.role !== 'api'
}

function run<Opened extends Pick<OpenPlatform, 'log'>, Started>(
  { name, everyMs, purpose, start }: Entry<Opened, Started>,
  opened: Opened,
): Started {
  opened.log.debug({ worker: name, everyMs, purpose }, 'a worker starts')
  return start({ ...opened, everyMs })
}

function wake(parts: Parts, name: 'refunds' | 'exports' | 'bulkRefunds', worker: Woken): Worker {
  parts.running[name] = worker
  return worker
}
