// The integration exam of a merchant in sandbox: started with an address, watched while it runs.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Run } from '../runs/runs.ts'
import { MerNo, ofMerchant } from '../schemas.ts'

export const MOST_ORDER_NOS = 50

const Url = Type.String({ maxLength: 500 })

const Wanted = Type.Object({
  notifyUrl: Url,
  /** Where the shop tells its view of an order. */
  stateUrl: Type.Optional(Url),
  /** Orders of the shop, for the exam's orders. */
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
      /** Whether exams can be started: only in sandbox. */
      open: Type.Boolean(),
      /** How many exercises an exam has. */
      exercises: Type.Integer(),
      /** The newest one, or none. */
      runs: Type.Array(Run),
    }),
  },
  'POST /exams': { access: 'keys.edit', body: Wanted, reply: Begun },
  /** By an operator, as the command. */
  'POST /merchants/:merNo/exams': {
    access: 'merchants.edit',
    params: Type.Object({ merNo: MerNo }),
    body: Wanted,
    reply: Begun,
  },
} as const satisfies Routes
