// The integration exam of a merchant. Exams run only in sandbox.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Run } from '../runs/wire.ts'
import { MerNo, ofMerchant } from '../schemas.ts'

export const MOST_ORDER_NOS = 50

const Url = Type.String({ maxLength: 500 })

const Wanted = Type.Object({
  notifyUrl: Url,
  /** The address at which the exam asks the shop for the state of an order. */
  stateUrl: Type.Optional(Url),
  /** Numbers of orders in the shop. The exam uses these numbers for its own orders. */
  orderNos: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: MOST_ORDER_NOS }),
  ),
})
const Begun = Type.Object({ runId: Type.String() })

export const examsApi = {
  'GET /exams': {
    access: 'developers.read',
    query: Type.Object(ofMerchant),
    reply: Type.Object({
      open: Type.Boolean(),
      exercises: Type.Integer(),
      /** At most one exam: the newest. The list is empty if no exam was started. */
      runs: Type.Array(Run),
    }),
  },
  'POST /exams': { access: 'keys.edit', body: Wanted, reply: Begun },
  'POST /merchants/:merNo/exams': {
    access: 'merchants.edit',
    params: Type.Object({ merNo: MerNo }),
    body: Wanted,
    reply: Begun,
  },
} as const satisfies Routes
