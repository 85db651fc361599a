// Metrics that are read when /metrics is requested.
import type { AuditWorker } from '../audit/worker.ts'
import type { Clock } from '../base/clock.ts'
import { certificateWarnings } from '../channels/client-certificate.ts'
import { listPauses } from '../channels/pauses.ts'
import type { PayoutRouting } from '../channels/payout/payout-routing.ts'
import type { Routing } from '../channels/routing.ts'
import { listFailingWork } from '../channels/watch-worker.ts'
import type { Connections } from '../connections/connections.ts'
import type { ChannelsFileWatch } from '../connections/watch-file.ts'
import type { Watchdog } from '../notifications/watchdog.ts'
import type { DeliveryWorker } from '../notifications/worker.ts'
import { countOverdue } from '../order-queries/count-overdue.ts'
import { countUnknown } from '../orders/open-attempts.ts'
import type { Batches } from '../payments/batches.ts'
import { countPayouts } from '../payouts/count-payouts.ts'
import type { Db } from '../postgres/db.ts'
import { countOpenRefunds } from '../refunds/count-refunds.ts'
import type { RequestLog } from '../request-log/recorder.ts'
import { countReviews } from '../reviews/find-review.ts'
import { type Metrics, SET_ASIDE_METRIC } from '../runtime/metrics.ts'

export type Watched = {
  readonly db: Db
  readonly clock: Clock
  readonly metrics: Metrics
  readonly gate: { readonly underWay: number }
  readonly batches: Batches
  readonly delivery: DeliveryWorker | undefined
  readonly watchdog: Watchdog
  readonly routing: Pick<Routing, 'setAside'>
  readonly payoutRouting: Pick<PayoutRouting, 'setAside'>
  readonly connections: Pick<Connections, 'entries'>
  readonly channelsFile: Pick<ChannelsFileWatch, 'complaint'> | undefined
  readonly audit: AuditWorker | undefined
  readonly requestLog: RequestLog | undefined
}

export function watch(parts: Watched): void {
  const { metrics, gate, batches, db, clock } = parts
  metrics.gauge('tollgate_payments_under_way', 'Payments between request and answer', () => gate.underWay)
  metrics.gauge('tollgate_accept_queue', 'Payments that wait to be accepted', () => batches.accept.depth())
  metrics.gauge('tollgate_record_queue', 'Outcomes that wait to be recorded', () => batches.record.depth())
  metrics.gauge(
    'tollgate_unknown_outcomes',
    'Attempts whose outcome is not known',
    async () => (await countUnknown(db)).count,
  )
  metrics.gauge(
    'tollgate_outcomes_overdue',
    'Payments, refunds, payouts and returns whose outcome was unknown for a day, or on its way for a week',
    async () => (await countOverdue(db, clock.now())).count,
  )
  const refunds = () => countOpenRefunds(db)
  metrics.gauge(
    'tollgate_refunds_open',
    'Refunds that wait for their channel',
    async () => (await refunds()).open,
  )
  metrics.gauge('tollgate_refunds_waiting', 'Refunds to be approved', async () => (await refunds()).waiting)
  const payouts = () => countPayouts(db)
  metrics.gauge(
    'tollgate_payouts_open',
    'Payouts that wait for their rail',
    async () => (await payouts()).open,
  )
  metrics.gauge('tollgate_payouts_waiting', 'Payouts to be approved', async () => (await payouts()).waiting)
  const reviews = () => countReviews(db)
  metrics.gauge('tollgate_reviews_open', 'Payments in review', async () => (await reviews()).open)
  metrics.gauge('tollgate_reviews_submitted', 'Of these, answered', async () => (await reviews()).submitted)
  metrics.gauge('tollgate_reviews_returning', 'Of these, rejected', async () => (await reviews()).returning)
  watchDelivery(parts)
  watchChannels(parts)
  metrics.gauge(
    'tollgate_request_log_dropped',
    'Requests that were not logged since the start, for lack of memory or because of a failure',
    () => parts.requestLog?.dropped() ?? 0,
  )
  metrics.gauge(
    'tollgate_audit_findings',
    'Rows that broke a rule of the books at the last audit; -1 before the first',
    () => parts.audit?.findings() ?? -1,
  )
}

function watchChannels({ db, clock, metrics, ...parts }: Watched): void {
  const { gauge } = metrics
  const { connections, routing, payoutRouting, channelsFile } = parts
  metrics.channels(
    SET_ASIDE_METRIC,
    'Channels that failed five times in a row, and come last for half a minute',
    () => ({ payment: routing.setAside(), payout: payoutRouting.setAside() }),
  )
  gauge('tollgate_channels_file_wrong', 'The channels file is wrong, and the old settings are in use', () =>
    (channelsFile?.complaint() ?? '') === '' ? 0 : 1,
  )
  gauge(
    'tollgate_channel_certificates_ending',
    'Channels whose client certificate has expired or ends within 30 days',
    () => certificateWarnings(connections.entries(), clock.now()).length,
  )
  gauge('tollgate_channels_paused', 'Channels that operators have paused', async () => {
    return (await listPauses(db)).length
  })
  gauge(
    'tollgate_channel_work_failing_seconds',
    'Background work of a channel fails for so long',
    async () => {
      const now = clock.now()
      const [longest] = await listFailingWork(db, now)
      return longest === undefined ? 0 : (now.getTime() - longest.since.getTime()) / 1000
    },
  )
}

function watchDelivery({ metrics, delivery, watchdog }: Watched): void {
  const { gauge } = metrics
  const health = watchdog.health
  gauge('tollgate_notifications_overdue', 'Due, and not moving', () => health().overdue)
  gauge('tollgate_notifications_oldest_due_seconds', 'Due for so long', () => health().oldestDueSeconds)
  gauge('tollgate_notifications_parked', 'Waiting in lanes of slow merchants', () => health().parked)
  gauge('tollgate_notifications_pending', 'To be delivered, up to 10000', () => health().pending)
  gauge('tollgate_deliveries_under_way', 'Claimed by this process', () => delivery?.jobCount() ?? 0)
  gauge('tollgate_delivery_circuits_open', 'Hosts that do not answer', () => delivery?.openCircuits() ?? 0)
}
