import type { Reply } from '../../api/send.ts'

export const queuePaths: Readonly<Record<keyof Reply<'GET /queues'>, string>> = {
  unknownOutcomes: '/queues/outcomes',
  notificationsStuck: '/queues/deliveries',
  suspenseToDecide: '/queues/suspense',
  disputesOpen: '/queues/disputes',
  approvalsToDecide: '/queues/approvals',
  payoutsToApprove: '/queues/payouts',
  refundsToApprove: '/queues/refunds',
  reviewsToDecide: '/queues/reviews',
  differencesOpen: '/books/reconciliation',
  merchantsToApprove: '/merchants?state=pending',
  websitesToApprove: '/merchants?asks=yes',
}
