import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Run } from '../runs/wire.ts'
import { MerNo, Moment, Money, Reason } from '../schemas.ts'

export const settlementApi = {
  'GET /settlement/runs': {
    access: 'settlement.read',
    reply: Type.Object({ runs: Type.Array(Run) }),
  },
  /** Settles everything that is due at `asOf`. The default is now. A worker does the same every minute. */
  'POST /settlement/runs': {
    access: 'settlement.run',
    dangerous: true,
    body: Type.Object({ asOf: Type.Optional(Moment), reason: Reason }),
    reply: Type.Object({ runId: Type.String() }),
  },
  'GET /reserves': {
    access: 'settlement.read',
    reply: Type.Object({
      rows: Type.Array(Type.Object({ merNo: Type.Integer(), name: Type.String(), money: Money })),
    }),
  },
  /** A merchant's margin, by the day on which it will be released. Days are in the merchant's time zone. */
  'GET /reserves/:merNo': {
    access: 'settlement.read',
    params: Type.Object({ merNo: MerNo }),
    reply: Type.Object({
      name: Type.String(),
      days: Type.Array(Type.Object({ day: Type.String(), orders: Type.Integer(), money: Money })),
    }),
  },
} as const satisfies Routes
