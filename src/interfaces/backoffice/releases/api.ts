// Refunds and payouts that wait for an operator's approval, because the merchant's terms require it.
import { Type } from 'typebox'
import { payeeFields } from '../decisions/api.ts'
import type { Routes } from '../route.ts'
import { Moment, Money, Nothing, ofMerchant, ofOrder, pageOf, Reason, text } from '../schemas.ts'

const WaitingRefund = Type.Object({
  refundNo: Type.String(),
  merNo: Type.Integer(),
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  ...ofOrder,
  money: Money,
  remark: Type.String(),
  /** The person who requested the refund. Missing if the merchant's program requested it. */
  askedBy: Type.Optional(Type.String()),
  /** True if the caller requested the refund. Another person must approve it. */
  isOwn: Type.Boolean(),
  createdAt: Moment,
})

const WaitingPayout = Type.Object({
  tradeNo: Type.String(),
  merNo: Type.Integer(),
  merchant: Type.String(),
  merOrderNo: Type.String(),
  kind: Type.String(),
  money: Money,
  account: Type.String(),
  beneficiary: Type.String(),
  ...payeeFields,
  createdAt: Moment,
})

const refundKey = Type.Object({ refundNo: Type.String({ maxLength: 32 }) })
const payoutKey = Type.Object({ tradeNo: Type.String({ maxLength: 32 }) })
const approving = { access: 'approvals.decide', dangerous: true, reply: Nothing } as const
const reasoned = Type.Object({ reason: Reason })
const rejection = Type.Object({
  /** The reason that the merchant reads. */
  reason: text(255),
  /**
   * The reason for the audit log, if it differs from `reason`. The gateway does not send it to the merchant, but
   * everybody with `audit.read` sees it.
   */
  auditReason: Type.Optional(Reason),
})

export const releasesApi = {
  'GET /refunds/waiting': {
    access: 'approvals.read',
    query: Type.Object(ofMerchant),
    reply: pageOf(WaitingRefund),
  },
  'POST /refunds/:refundNo/approve': { ...approving, params: refundKey, body: reasoned },
  'POST /refunds/:refundNo/reject': { ...approving, params: refundKey, body: rejection },
  'GET /payouts/waiting': {
    access: 'approvals.read',
    query: Type.Object(ofMerchant),
    reply: pageOf(WaitingPayout),
  },
  'POST /payouts/:tradeNo/approve': { ...approving, params: payoutKey, body: reasoned },
  'POST /payouts/:tradeNo/reject': { ...approving, params: payoutKey, body: rejection },
} as const satisfies Routes
