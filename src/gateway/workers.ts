// Starts the background workers.

import { startAlerts } from '../backoffice/alerts/worker.ts'
import { startRunExpiry } from '../backoffice/payouts/expiry-worker.ts'
import { startPayoutRuns } from '../backoffice/payouts/worker.ts'
import { startAsking } from '../callbacks/ask-worker.ts'
import { startWatching } from '../channels/watch-worker.ts'
import { startDisputes } from '../chargebacks/worker.ts'
import { startMail } from '../mail/worker.ts'
import { startResends } from '../notifications/resend-worker.ts'
import { startMilestones } from '../order-queries/milestone-worker.ts'
import { startIndexing } from '../order-queries/search/index-worker.ts'
import { startFolding } from '../orders/fold-worker.ts'
import { startHostedWorker } from '../payments/hosted/worker.ts'
import { startResolver } from '../payments/worker.ts'
import { startPayoutWorker } from '../payouts/worker.ts'
import { startRetention } from '../request-log/worker.ts'
import { startReviewWorker } from '../reviews/worker.ts'
import { startRiskRetention } from '../risk/worker.ts'
import { startSettlement } from '../settlement/worker.ts'
import type { Parts } from './parts.ts'
import { payoutDeps } from './served.ts'

/** All workers; they may run on any number of nodes. */
export type Worker = { stop(): Promise<void> }

export function startWorkers(parts: Parts): Worker[] {
  const { minuteMs, requestLogDays: days } = parts.config
  const money = [startSettlement(parts), startFolding(parts), startDisputes({ ...parts, minuteMs })]
  const payments = [
    startResolver(parts),
    startHostedWorker(parts),
    startReviewWorker(parts),
    startAsking(parts),
    startWatching({ ...parts, watchers: parts.connections.watchers }),
  ]
  const others = [
    startPayoutWorker(payoutDeps(parts)),
    startPayoutRuns(payoutDeps(parts)),
    startRunExpiry(parts),
    startMilestones(parts),
    startIndexing(parts),
    startRetention({ ...parts, days }),
    startRiskRetention(parts),
    parts.refundWorker,
    parts.exportWorker,
    parts.bulkRefundWorker,
    parts.delivery,
    parts.audit,
    startMail({ ...parts, minuteMs }),
    startAlerts(parts),
    startResends(parts),
  ]
  return [...money, ...payments, ...others].filter((worker) => worker !== undefined)
}
