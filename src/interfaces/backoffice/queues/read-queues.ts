// Reads the number of items in each queue of operators, and the time of the oldest item.
import { countApprovals } from '../../../money/approvals/list-approvals.ts'
import { countOpenChargebacks } from '../../../money/chargebacks/find-chargeback.ts'
import { countWaitingMerchants } from '../../../money/merchants/list-merchants.ts'
import { readStuck } from '../../../money/notifications/watchdog.ts'
import { countUnresolved } from '../../../money/order-queries/list-unresolved.ts'
import { countPayouts } from '../../../money/payouts/find-payout.ts'
import { countOpenDifferences } from '../../../money/reconciliation/statements.ts'
import { countOpenRefunds } from '../../../money/refunds/find-refund.ts'
import { countReviews } from '../../../money/reviews/find-review.ts'
import { countHeld } from '../../../money/suspense/book-suspense.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { timeOf } from '../../../platform/base/id.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { QueueName } from './api.ts'

export type QueuesDeps = {
  readonly db: Db
  readonly clock: Clock
}

export type Waiting = { readonly count: number; readonly since: Date | undefined }

export type Queues = Readonly<Record<QueueName, Waiting>> & {
  readonly disputesDue: { readonly count: number; readonly next: Date | undefined }
}

/** A dispute counts as due if its deadline is at most this far in the future, or has passed. */
const DUE_WITHIN_MS = 3 * 86_400_000

export async function readQueues({ db, clock }: QueuesDeps): Promise<Queues> {
  const now = clock.now()
  const merchants = await countWaitingMerchants(db)
  const refunds = await countOpenRefunds(db)
  const payouts = await countPayouts(db)
  const unknown = await countUnresolved(db, now)
  const reviews = await countReviews(db)
  const suspense = await countHeld(db)
  const disputes = await countOpenChargebacks(db, new Date(now.getTime() + DUE_WITHIN_MS))
  const approvals = await countApprovals(db, { decider: 'platform', merNo: undefined, now })
  const differences = await countOpenDifferences(db)
  const stuck = await readStuck(db, now)
  return {
    merchantsToApprove: waiting(merchants.pending, merchants.pendingSince),
    websitesToApprove: waiting(merchants.askedWebsites, null),
    approvalsToDecide: waiting(approvals.count, approvals.since),
    refundsToApprove: waiting(refunds.waiting, refunds.waitingSince),
    payoutsToApprove: waiting(payouts.waiting, createdAt(payouts.firstWaiting)),
    unknownOutcomes: waiting(unknown.count, unknown.since),
    reviewsToDecide: waiting(reviews.submitted, reviews.submittedSince),
    suspenseToDecide: waiting(suspense.count, suspense.since),
    disputesOpen: waiting(disputes.count, disputes.since),
    differencesOpen: waiting(differences.count, differences.since ?? null),
    notificationsStuck: waiting(stuck.retrying + stuck.overdue, stuck.oldest),
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
    notificationsStuck: show(queues.notificationsStuck),
  }
}
