// Everything that waits for operators: how much of it, and since when.
import { countApprovals } from '../../approvals/list-approvals.ts'
import type { Clock } from '../../base/clock.ts'
import { timeOf } from '../../base/id.ts'
import { countOpenChargebacks } from '../../chargebacks/find-chargeback.ts'
import { countWaitingMerchants } from '../../merchants/list-merchants.ts'
import type { Watchdog } from '../../notifications/watchdog.ts'
import { countUnknown } from '../../orders/open-attempts.ts'
import { countPayouts } from '../../payouts/count-payouts.ts'
import type { Db } from '../../postgres/db.ts'
import { countOpenDifferences } from '../../reconciliation/list-statements.ts'
import { countOpenRefunds } from '../../refunds/count-refunds.ts'
import { countReviews } from '../../reviews/find-review.ts'
import { countHeld } from '../../suspense/book-suspense.ts'
import type { QueueName } from './api.ts'

export type QueuesDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly watchdog: Pick<Watchdog, 'health'>
}

export type Waiting = { readonly count: number; readonly since: Date | undefined }

export type Queues = Readonly<Record<QueueName, Waiting>> & {
  readonly disputesDue: { readonly count: number; readonly next: Date | undefined }
}

/** Disputes that have to be answered within this time need attention now. */
const DUE_WITHIN_MS = 3 * 86_400_000

export async function readQueues({ db, clock, watchdog }: QueuesDeps): Promise<Queues> {
  const now = clock.now()
  const merchants = await countWaitingMerchants(db)
  const refunds = await countOpenRefunds(db)
  const payouts = await countPayouts(db)
  const unknown = await countUnknown(db)
  const reviews = await countReviews(db)
  const suspense = await countHeld(db)
  const disputes = await countOpenChargebacks(db, new Date(now.getTime() + DUE_WITHIN_MS))
  const approvals = await countApprovals(db, { decider: 'platform', merNo: undefined, now })
  const differences = await countOpenDifferences(db)
  const { overdue, oldestDueSeconds } = watchdog.health()
  const overdueSince = overdue === 0 ? undefined : new Date(now.getTime() - oldestDueSeconds * 1_000)
  return {
    merchantsToApprove: waiting(merchants.pending, merchants.pendingSince),
    websitesToApprove: waiting(merchants.askedWebsites, null),
    approvalsToDecide: waiting(approvals.count, approvals.since),
    refundsToApprove: waiting(refunds.waiting, refunds.waitingSince),
    payoutsToApprove: waiting(payouts.waiting, createdAt(payouts.firstWaiting)),
    unknownOutcomes: waiting(unknown.count, createdAt(unknown.first)),
    reviewsToDecide: waiting(reviews.submitted, reviews.submittedSince),
    suspenseToDecide: waiting(suspense.count, suspense.since),
    disputesOpen: waiting(disputes.count, disputes.since),
    differencesOpen: waiting(differences.count, differences.since ?? null),
    notificationsOverdue: { count: overdue, since: overdueSince },
    disputesDue: { count: disputes.due, next: disputes.nextDue ?? undefined },
  }
}

function waiting(count: number, since: Date | null): Waiting {
  return { count, since: since ?? undefined }
}

function createdAt(id: string | null): Date | null {
  return id === null ? null : timeOf(id)
}

export function mapQueues<Shown>(
  queues: Queues,
  show: (waiting: Waiting) => Shown,
): Record<QueueName, Shown> {
  return {
    merchantsToApprove: show(queues.merchantsToApprove),
    websitesToApprove: show(queues.websitesToApprove),
    approvalsToDecide: show(queues.approvalsToDecide),
    refundsToApprove: show(queues.refundsToApprove),
    payoutsToApprove: show(queues.payoutsToApprove),
    unknownOutcomes: show(queues.unknownOutcomes),
    reviewsToDecide: show(queues.reviewsToDecide),
    suspenseToDecide: show(queues.suspenseToDecide),
    disputesOpen: show(queues.disputesOpen),
    differencesOpen: show(queues.differencesOpen),
    notificationsOverdue: show(queues.notificationsOverdue),
  }
}
