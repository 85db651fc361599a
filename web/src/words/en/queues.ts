export const queues = {
  title: 'Waiting',
  hint: 'What waits for somebody to decide. Numbers are current.',
  nothing: 'Nothing waits',
  of: {
    merchantsToApprove: 'Merchants to approve',
    websitesToApprove: 'Websites to approve',
    approvalsToDecide: 'Decisions for a second person',
    differencesOpen: 'Differences on statements',
    refundsToApprove: 'Refunds to approve',
    payoutsToApprove: 'Payouts to approve',
    unknownOutcomes: 'Unknown outcomes',
    reviewsToDecide: 'Reviews to decide',
    suspenseToDecide: 'Money in suspense',
    disputesOpen: 'Open disputes',
    notificationsOverdue: 'Notifications that do not move',
  },
}
