// Money in suspense: operators accept it for its order, or return it.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, onPage, pageOf, Reason, text } from '../schemas.ts'

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
  /** Above the amount a second person approves. */
  needsSecondPerson: Type.Boolean(),
})

const Owner = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const SuspenseKey = Type.Object({ suspenseId: Type.String({ maxLength: 32 }) })

export const suspenseApi = {
  /** Money of no known merchant is under number 0. */
  'GET /suspense': {
    access: 'suspense.read',
    query: Type.Object({ merNo: Type.Optional(Owner), ...onPage }),
    reply: pageOf(Held),
  },
  /** `approvalId` is set if a second person has to approve it first. */
  'POST /suspense/:suspenseId/accept': {
    access: 'suspense.decide',
    dangerous: true,
    params: SuspenseKey,
    body: Type.Object({ reason: Reason }),
    /** What was above the order's amount stays in suspense. */
    reply: Type.Object({
      tradeNo: Type.Optional(Type.String()),
      surplusId: Type.Optional(Type.String()),
      approvalId: Type.Optional(Type.String()),
    }),
  },
  'POST /suspense/:suspenseId/return': {
    access: 'suspense.decide',
    dangerous: true,
    params: SuspenseKey,
    body: Type.Object({ reason: Reason }),
    reply: Type.Object({ approvalId: Type.Optional(Type.String()) }),
  },
  /** Money of no known order is held under this one from then on. */
  'POST /suspense/:suspenseId/assign': {
    access: 'suspense.decide',
    dangerous: true,
    params: SuspenseKey,
    body: Type.Object({ tradeNo: text(32), reason: Reason }),
    reply: Type.Object({ suspenseId: Type.String() }),
  },
} as const satisfies Routes
