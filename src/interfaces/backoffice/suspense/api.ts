// Money in suspense. Operators accept the money for its order, assign it to an order, or return it.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, ofOrder, oneOf, onPage, pageOf, Reason, text } from '../schemas.ts'

const Held = Type.Object({
  suspenseId: Type.String(),
  merNo: Type.Integer(),
  channel: Type.String(),
  reference: Type.String(),
  tradeNo: Type.Optional(Type.String()),
  ...ofOrder,
  money: Money,
  why: oneOf('late', 'short', 'surplus', 'unmatched'),
  bookedAt: Moment,
  /** True if the amount is so high that a second person must approve the decision. */
  needsSecondPerson: Type.Boolean(),
})

const Owner = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const SuspenseKey = Type.Object({ suspenseId: Type.String({ maxLength: 32 }) })

export const suspenseApi = {
  /** Lists the money in suspense. Money whose merchant is unknown is listed under merchant 0. */
  'GET /suspense': {
    access: 'suspense.read',
    query: Type.Object({ merNo: Type.Optional(Owner), ...onPage }),
    reply: pageOf(Held),
  },
  /** Accepts the money for its order. `approvalId` is set if the decision waits for a second person. */
  'POST /suspense/:suspenseId/accept': {
    access: 'suspense.decide',
    dangerous: true,
    params: SuspenseKey,
    body: Type.Object({ reason: Reason }),
    /** If the money exceeds the order's amount, the surplus stays in suspense under `surplusId`. */
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
  /** Assigns money whose order is unknown to an order. The money stays in suspense. */
  'POST /suspense/:suspenseId/assign': {
    access: 'suspense.decide',
    dangerous: true,
    params: SuspenseKey,
    body: Type.Object({ tradeNo: text(32), reason: Reason }),
    reply: Type.Object({ suspenseId: Type.String() }),
  },
} as const satisfies Routes
