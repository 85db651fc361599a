import type { Words } from '../en.ts'

export const queues: Words['queues'] = {
  title: '待处理',
  hint: '等待有人决定的事项。数字为当前值。',
  nothing: '没有待处理事项',
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
