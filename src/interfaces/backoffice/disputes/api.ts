// Disputes. The merchant answers with evidence until the deadline, and operators record how a dispute ends.
import { Type } from 'typebox'
import { disputeCategories } from '../../../money/chargebacks/reasons.ts'
import { OrderRow } from '../orders/api.ts'
import type { Routes } from '../route.ts'
import {
  Moment,
  Money,
  Nothing,
  ofMerchant,
  ofOrder,
  oneOf,
  onPage,
  orNull,
  pageOf,
  Reason,
  text,
} from '../schemas.ts'

const state = oneOf('inquiry', 'closed', 'open', 'won', 'lost')

const Dispute = Type.Object({
  chargebackId: Type.String(),
  tradeNo: Type.String(),
  merNo: Type.Integer(),
  state,
  reason: Type.String(),
  reasonInWords: Type.String(),
  money: Money,
  fee: Money,
  openedAt: Moment,
  resolvedAt: Type.Optional(Moment),
  answerBy: Type.Optional(Moment),
  /** True if the deadline has passed and the dispute is not decided. */
  isOverdue: Type.Boolean(),
  evidence: Type.Optional(Type.Integer()),
  ...ofOrder,
})

const Evidence = Type.Object({
  evidenceId: Type.String(),
  note: Type.String(),
  file: Type.Optional(Type.Object({ name: Type.String(), bytes: Type.Integer() })),
  by: Type.Optional(Type.String()),
  at: Moment,
})

export const Product = Type.Object({
  name: Type.String(),
  sku: Type.String(),
  price: Type.String(),
  quantity: Type.String(),
})

export const DisputedOrder = Type.Object({
  order: OrderRow,
  /** The order's other fields, such as those of billing and delivery, without personal numbers. */
  details: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  products: Type.Array(Product),
  /** `asked` if the payment did not succeed after the 3-D Secure challenge. Missing if no challenge is stored. */
  threeDSecure: Type.Optional(oneOf('passed', 'asked')),
  /**
   * The payer's latest orders before this order. Orders with the same e-mail address count as orders of the same payer.
   */
  earlier: Type.Array(OrderRow),
})

/** The kinds of dispute. The evidence that the payer's bank expects depends on the kind. */
const category = oneOf(...disputeCategories)

const OfOrder = Type.Object({ tradeNo: Type.String({ maxLength: 32 }) })

export const disputesApi = {
  'GET /disputes': {
    access: 'disputes.read',
    query: Type.Object({ ...ofMerchant, ...onPage, state: Type.Optional(state) }),
    reply: pageOf(Dispute),
  },
  'GET /dispute-reasons': {
    access: 'disputes.read',
    reply: Type.Object({
      reasons: Type.Array(Type.Object({ code: Type.String(), words: Type.String() })),
    }),
  },
  'GET /disputes/:tradeNo': {
    access: 'disputes.read',
    params: OfOrder,
    reply: Type.Object({
      dispute: Dispute,
      category,
      evidence: Type.Array(Evidence),
      /** Missing for people who may not see orders. */
      order: Type.Optional(DisputedOrder),
    }),
  },
  'POST /disputes/:tradeNo/evidence': {
    access: 'disputes.answer',
    params: OfOrder,
    /** The limit allows for a file of 2 MiB in base64 and for the other fields. */
    bodyLimit: 2_900_000,
    body: Type.Object({
      note: text(4000),
      file: Type.Optional(Type.Object({ name: text(120), content: Type.String() })),
    }),
    reply: Type.Object({ evidenceId: Type.String() }),
  },
  'GET /disputes/:tradeNo/evidence/:evidenceId': {
    access: 'disputes.read',
    params: Type.Object({
      tradeNo: Type.String({ maxLength: 32 }),
      evidenceId: Type.String({ maxLength: 32 }),
    }),
    reply: 'file',
  },
  'POST /disputes': {
    access: 'disputes.decide',
    dangerous: true,
    body: Type.Object({
      tradeNo: Type.String({ minLength: 1, maxLength: 32 }),
      /** The disputed amount in the order's currency. If missing, the payment's whole amount is disputed. */
      amount: Type.Optional(Type.String({ maxLength: 16 })),
      reasonCode: Type.String({ minLength: 1, maxLength: 8 }),
      reason: Reason,
    }),
    reply: Nothing,
  },
  'POST /disputes/:tradeNo/deadline': {
    access: 'disputes.decide',
    params: OfOrder,
    body: Type.Object({
      answerBy: Moment,
      /** The deadline that the person saw, or null if there was none. */
      seen: orNull(Moment),
      reason: Reason,
    }),
    reply: Nothing,
  },
  'POST /disputes/:tradeNo/resolve': {
    access: 'disputes.decide',
    dangerous: true,
    params: OfOrder,
    body: Type.Object({ outcome: oneOf('won', 'lost'), reason: Reason }),
    reply: Nothing,
  },
} as const satisfies Routes
