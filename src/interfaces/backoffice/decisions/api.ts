// Decisions of operators: payments, refunds and payouts with an unknown outcome, correcting entries, and approvals that
// wait for a second person.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import {
  DIGITS,
  Moment,
  Money,
  Nothing,
  ofMerchant,
  ofOrder,
  oneOf,
  onPage,
  pageOf,
  Reason,
} from '../schemas.ts'

const Outcome = Type.Object({
  kind: oneOf('payment', 'refund', 'payout'),
  merNo: Type.Integer(),
  tradeNo: Type.String(),
  refundNo: Type.Optional(Type.String()),
  merOrderNo: Type.String(),
  ...ofOrder,
  channel: Type.String(),
  state: Type.String(),
  money: Money,
  /** The money that has arrived so far. Set for a payment by transfer. */
  received: Type.Optional(Money),
  createdAt: Moment,
  /** The number of times that the channel was queried, and the time of the next query. */
  asks: Type.Integer(),
  askAt: Moment,
  /** True if the amount is so high that a second person must approve the decision. */
  needsSecondPerson: Type.Boolean(),
})

/** `approvalId` is set if the decision waits for a second person. */
const Waiting = Type.Object({ approvalId: Type.Optional(Type.String()) })

export const payeeFields = {
  /** The payee's country in two letters, if the payout names it. */
  country: Type.Optional(Type.String()),
  /** True if no recent successful payout of the merchant went to the account. Missing once the payout is decided. */
  isNew: Type.Optional(Type.Boolean()),
} as const

export const Payee = Type.Object({
  beneficiary: Type.String(),
  account: Type.String(),
  ...payeeFields,
  /** The merchant's order number of the payout, and its amount. Missing if the approval is about saving an account. */
  merOrderNo: Type.Optional(Type.String()),
  money: Type.Optional(Money),
})

export const ApprovalRow = Type.Object({
  approvalId: Type.String(),
  merNo: Type.Integer(),
  kind: oneOf('outcome', 'correction', 'suspense', 'payouts', 'beneficiary', 'owner'),
  subject: Type.String(),
  action: Type.Record(Type.String(), Type.String()),
  ...ofOrder,
  /** The first payees of a payout run, or the payee whose account is saved. */
  payees: Type.Optional(Type.Array(Payee)),
  money: Type.Optional(Money),
  askedBy: Type.String(),
  askedAt: Moment,
  reason: Type.String(),
  expiresAt: Moment,
  state: oneOf('waiting', 'approved', 'rejected', 'expired'),
  decidedBy: Type.Optional(Type.String()),
  decidedAt: Type.Optional(Moment),
  decision: Type.Optional(Type.String()),
  /** True if the caller requested the approval. Only another person may approve. */
  isOwn: Type.Boolean(),
})

export const approvalQuery = {
  state: Type.Optional(oneOf('waiting', 'decided')),
  ...onPage,
} as const

export const ApprovalKey = Type.Object({ approvalId: Type.String({ maxLength: 32 }) })

export const decisionsApi = {
  'GET /outcomes': {
    access: 'outcomes.read',
    query: Type.Object({ ...ofMerchant, ...onPage }),
    reply: pageOf(Outcome),
  },
  'POST /outcomes/:tradeNo/decide': {
    access: 'outcomes.decide',
    dangerous: true,
    params: Type.Object({ tradeNo: Type.String({ maxLength: 32 }) }),
    body: Type.Object({
      refundNo: Type.Optional(Type.String({ maxLength: 32 })),
      as: oneOf('succeeded', 'failed'),
      /** The total that has arrived at the channel. Only for a payment by transfer. */
      amount: Type.Optional(Type.String({ maxLength: 20 })),
      reason: Reason,
    }),
    reply: Waiting,
  },
  'POST /corrections': {
    access: 'books.correct',
    dangerous: true,
    body: Type.Object({
      /** The merchant number as text. In a number field, the server would read null as 0, which is the platform. */
      merNo: Type.String({ minLength: 1, maxLength: 10, pattern: DIGITS }),
      from: Type.String({ minLength: 1, maxLength: 80 }),
      to: Type.String({ minLength: 1, maxLength: 80 }),
      amount: Type.String({ minLength: 1, maxLength: 20 }),
      currency: Type.String({ minLength: 3, maxLength: 5 }),
      reason: Reason,
    }),
    reply: Type.Object({ correctionId: Type.String(), approvalId: Type.Optional(Type.String()) }),
  },
  'GET /approvals': {
    access: 'approvals.read',
    query: Type.Object({ ...ofMerchant, ...approvalQuery }),
    reply: pageOf(ApprovalRow),
  },
  'POST /approvals/:approvalId/approve': {
    access: 'approvals.decide',
    dangerous: true,
    params: ApprovalKey,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
  'POST /approvals/:approvalId/reject': {
    access: 'approvals.decide',
    params: ApprovalKey,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
} as const satisfies Routes
