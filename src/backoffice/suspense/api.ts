// Money in suspense: operators accept it for its order, or return it.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, Nothing, ofMerchant, pageOf, Reason } from '../schemas.ts'

const Held = Type.Object({
  suspenseId: Type.String(),
  merNo: Type.Integer(),
  channel: Type.String(),
  reference: Type.String(),
  tradeNo: Type.Optional(Type.String()),
  money: Money,
  why: Type.Union([
    Type.Literal('late'),
    Type.Literal('short'),
    Type.Literal('surplus'),
    Type.Literal('unmatched'),
  ]),
  bookedAt: Moment,
})

const SuspenseKey = Type.Object({ suspenseId: Type.String({ maxLength: 32 }) })

export const suspenseApi = {
  'GET /suspense': { access: 'suspense.read', query: Type.Object(ofMerchant), reply: pageOf(Held) },
  'POST /suspense/:suspenseId/accept': {
    access: 'suspense.decide',
    dangerous: true,
    params: SuspenseKey,
    body: Type.Object({ reason: Reason }),
    /** What was above the order's amount stays in suspense. */
    reply: Type.Object({ tradeNo: Type.String(), surplusId: Type.Optional(Type.String()) }),
  },
  'POST /suspense/:suspenseId/return': {
    access: 'suspense.decide',
    dangerous: true,
    params: SuspenseKey,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
} as const satisfies Routes
