// The refunds of a merchant. They are made on the pages of orders, and approved in the queue of operators.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, ofMerchant, onPage, pageOf } from '../schemas.ts'

const Refund = Type.Object({
  refundNo: Type.String(),
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  state: Type.String(),
  money: Money,
  fee: Money,
  message: Type.String(),
  /** Why it was made. */
  remark: Type.String(),
  createdAt: Moment,
  decidedAt: Type.Union([Moment, Type.Null()]),
})

export const refundsApi = {
  'GET /refunds': {
    access: 'refunds.read',
    query: Type.Object({ ...ofMerchant, ...onPage, state: Type.Optional(Type.String({ maxLength: 20 })) }),
    reply: pageOf(Refund),
  },
} as const satisfies Routes
