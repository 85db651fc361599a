// The words for the states of orders, refunds, payouts and disputes, as they appear in lists, pages, exports and search
// results. This file imports nothing, because the web app uses it too.

const orders = {
  processing: 'Processing',
  waiting_for_payer: 'Waiting for the payer',
  waiting_for_challenge: 'Waiting for 3-D Secure',
  partly_paid: 'Partly paid',
  retrying: 'Retrying',
  unknown: 'Outcome unknown',
  succeeded: 'Succeeded',
  partly_refunded: 'Partly refunded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired',
  refunded: 'Refunded',
  refunding: 'Refund in progress',
  charged_back: 'Charged back',
  disputed: 'Disputed',
  charged_back_after_refund: 'Charged back after refund',
  information_asked: 'Information needed',
  in_review: 'In review',
}

/**
 * The stage of an order: its state together with what the state's number does not tell. Examples are that a part was
 * refunded, or what the open attempt waits for.
 */
export type OrderStage = keyof typeof orders

/** The stage of an order of which only the state is known, by the number of the state. */
export const stageOfState: Readonly<Record<number, OrderStage>> = {
  1: 'processing',
  5: 'succeeded',
  6: 'failed',
  7: 'cancelled',
  9: 'refunded',
  10: 'refunding',
  11: 'charged_back',
  12: 'disputed',
  17: 'charged_back_after_refund',
  24: 'information_asked',
  25: 'in_review',
}

const en = {
  orders,
  refunds: {
    waiting: 'Waits for approval',
    calling: 'Being sent',
    pending: 'With the channel',
    unknown: 'Outcome unknown',
    succeeded: 'Refunded',
    failed: 'Failed',
    returned: 'Came back',
  },
  payouts: {
    tokenising: 'Being prepared',
    awaiting_account: 'Waits for the account',
    awaiting_approval: 'Waits for approval',
    sending: 'On its way',
    succeeded: 'Paid',
    failed: 'Failed',
    returned: 'Came back',
  },
  disputes: { inquiry: 'Inquiry', open: 'Open', won: 'Won', lost: 'Lost', closed: 'Closed' },
}

const zh: typeof en = {
  orders: {
    processing: '处理中',
    waiting_for_payer: '等待付款人',
    waiting_for_challenge: '等待 3-D Secure 验证',
    partly_paid: '部分付款',
    retrying: '重试中',
    unknown: '结果未知',
    succeeded: '成功',
    partly_refunded: '部分退款',
    failed: '失败',
    cancelled: '已取消',
    expired: '已过期',
    refunded: '已退款',
    refunding: '退款中',
    charged_back: '已拒付',
    disputed: '争议中',
    charged_back_after_refund: '退款后拒付',
    information_asked: '待补充资料',
    in_review: '审核中',
  },
  refunds: {
    waiting: '待审批',
    calling: '发送中',
    pending: '渠道处理中',
    unknown: '结果未知',
    succeeded: '已退款',
    failed: '失败',
    returned: '已退回',
  },
  payouts: {
    tokenising: '准备中',
    awaiting_account: '等待账户',
    awaiting_approval: '等待审批',
    sending: '处理中',
    succeeded: '已付款',
    failed: '失败',
    returned: '已退回',
  },
  disputes: { inquiry: '查询', open: '进行中', won: '胜诉', lost: '败诉', closed: '已关闭' },
}

export const stateWords = { en, zh }
