// The list of refunds, of one merchant or of all merchants. The routes that make refunds and approve them are in other
// files.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, ofMerchant, onPage, orNull, pageOf } from '../schemas.ts'

const Refund = Type.Object({
  refundNo: Type.String(),
  merNo: Type.Integer(),
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  state: Type.String(),
  money: Money,
  fee: Money,
  /** The part of a returned refund that did not arrive back. */
  returnCost: Type.Optional(Money),
  message: Type.String(),
  remark: Type.String(),
  createdAt: Moment,
  decidedAt: orNull(Moment),
})

export const refundsApi = {
  'GET /refunds': {
    access: 'refunds.read',
    query: Type.Object({ ...ofMerchant, ...onPage, state: Type.Optional(Type.String({ maxLength: 20 })) }),
    reply: pageOf(Refund),
  },
} as const satisfies Routes
