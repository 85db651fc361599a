// Metrics that are read when /metrics is requested.
import { countOverdue, countUnresolved } from '../money/order-queries/list-unresolved.ts'
import { countPayouts } from '../money/payouts/find-payout.ts'
import { countOpenRefunds } from '../money/refunds/find-refund.ts'
import { countReviews } from '../money/reviews/find-review.ts'
import { OPEN_BREAKER_METRIC } from '../platform/runtime/metrics.ts'
import { listPauses } from '../rails/routing/pauses.ts'
import { listFailingWork } from '../rails/toolkit/records/watch-worker.ts'
import { certificateWarnings } from '../rails/toolkit/settings/setting-warnings.ts'
import type { Parts } from './parts.ts'

export function watch(parts: Parts): void {
  const { metrics, gate, acceptBatch, recordBatch, db, clock } = parts
  metrics.gauge('tollgate_payments_under_way', 'Payments between request and answer', () => gate.underWay)
  metrics.gauge('tollgate_accept_queue', 'Payments that wait to be accepted', () => acceptBatch.depth())
  metrics.gauge('tollgate_record_queue', 'Outcomes that wait to be recorded', () => recordBatch.depth())
  metrics.gauge(
    'tollgate_unknown_outcomes',
    'Payments, refunds and payouts whose outcome is not known',
    async () => (await countUnresolved(db, clock.now())).count,
  )
  metrics.gauge(
    'tollgate_outcomes_overdue',
    'Payments, refunds, payouts and returns whose channel is late with the outcome',
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
    () => parts.running.audit?.findings() ?? -1,
  )
}

function watchChannels(parts: Parts): void {
  const { db, clock, metrics, connections, routing, payoutRouting, running } = parts
  const { gauge } = metrics
  metrics.channels(
    OPEN_BREAKER_METRIC,
    'Channels that failed five times in a row, and come last for half a minute',
    () => ({ payment: routing.openBreakers(), payout: payoutRouting.openBreakers() }),
  )
  gauge('tollgate_channels_file_wrong', 'The channels file is wrong, and the old settings are in use', () =>
    (running.channelsFile?.complaint() ?? '') === '' ? 0 : 1,
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

function watchDelivery({ metrics, delivery, watchdog }: Parts): void {
  const { gauge } = metrics
  const health = watchdog.health
  gauge('tollgate_notifications_overdue', 'Due, and not moving', () => health().overdue)
  gauge('tollgate_notifications_oldest_due_seconds', 'Due for so long', () => health().oldestDueSeconds)
  gauge('tollgate_notifications_parked', 'Waiting in lanes of slow merchants', () => health().parked)
  gauge('tollgate_notifications_pending', 'To be delivered, up to 10000', () => health().pending)
  gauge('tollgate_deliveries_under_way', 'Claimed by this process', () => delivery?.jobCount() ?? 0)
  gauge('tollgate_delivery_circuits_open', 'Hosts that do not answer', () => delivery?.openCircuits() ?? 0)
}
