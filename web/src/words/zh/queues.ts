import type { Words } from '../en.ts'

export const queues: Words['queues'] = {
  title: '待处理',
  hint: '等待有人决定的事项。数字为当前值。',
  deliveries: '通知发送',
  deliveriesHint: '通知已到期但未发送的商户，等待最久的在前。',
  noDeliveries: '所有通知都在正常发送',
  noDeliveriesHint: '无法连接的商户，其通知会自动重试。',
  merchant: '商户',
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
    notificationsOverdue: '停滞的通知',
  },
}
