// Refunds and payouts of merchants that wait for an operator, by the merchant's own terms.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, Nothing, ofMerchant, pageOf, Reason, text } from '../schemas.ts'

const WaitingRefund = Type.Object({
  refundNo: Type.String(),
  merNo: Type.Integer(),
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  money: Money,
  remark: Type.String(),
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
  createdAt: Moment,
})

const refundKey = Type.Object({ refundNo: Type.String({ maxLength: 32 }) })
const payoutKey = Type.Object({ tradeNo: Type.String({ maxLength: 32 }) })
const approving = { access: 'approvals.decide', dangerous: true, reply: Nothing } as const
const reasoned = Type.Object({ reason: Reason })
const rejection = Type.Object({
  /** The merchant reads it. */
  reason: text(255),
  /** The audit log has it instead of the other. The merchant is not told, but its people with `audit.read` find it there. */
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
