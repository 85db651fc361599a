const en = {
  title: 'Waiting',
  hint: 'The work that waits for a decision. The numbers are current.',
  deliveries: 'Deliveries',
  deliveriesHint:
    'Merchants whose notifications failed and are tried again, or are due and not sent. The one that waits longest comes first.',
  noDeliveries: 'No notification is retrying or overdue',
  noDeliveriesHint:
    'Nothing to do. Notifications of paused merchants are not counted: resume them on their pages.',
  merchant: 'Merchant',
  retrying: 'Retrying',
  overdue: 'Overdue',
  oldest: 'Oldest',
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
    notificationsStuck: 'Notifications retrying or overdue',
  },
}

const zh: typeof en = {
  title: '待处理',
  hint: '等待有人决定的事项。数字为当前值。',
  deliveries: '通知发送',
  deliveriesHint: '通知发送失败后正在重试，或已到期但未发送的商户，等待最久的在前。',
  noDeliveries: '没有重试中或逾期的通知',
  noDeliveriesHint: '无需操作。不计入已暂停商户的通知：可在其页面恢复发送。',
  merchant: '商户',
  retrying: '重试中',
  overdue: '逾期',
  oldest: '最早',
  of: {
    merchantsToApprove: '待审批商户',
    websitesToApprove: '待审批网站',
    approvalsToDecide: '待第二人决定',
    differencesOpen: '对账单差异',
    refundsToApprove: '待审批退款',
    payoutsToApprove: '待审批付款',
    unknownOutcomes: '结果未知',
    reviewsToDecide: '待决定的审核',
    suspenseToDecide: '暂记款项',
    disputesOpen: '未结争议',
    notificationsStuck: '重试中或逾期的通知',
  },
}

export const queuesWords = { en, zh }
