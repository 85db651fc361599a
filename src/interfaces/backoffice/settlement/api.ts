import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Run } from '../runs/runs.ts'
import { MerNo, Moment, Money, Reason } from '../schemas.ts'

export const settlementApi = {
  'GET /settlement/runs': {
    access: 'settlement.read',
    reply: Type.Object({ runs: Type.Array(Run) }),
  },
  /** Settles what is due by then: now, if `asOf` is missing. The worker does the same every few minutes. */
  'POST /settlement/runs': {
    access: 'settlement.run',
    dangerous: true,
    body: Type.Object({ asOf: Type.Optional(Moment), reason: Reason }),
    reply: Type.Object({ runId: Type.String() }),
  },
  /** What is held in reserve, by merchant and currency. */
  'GET /reserves': {
    access: 'settlement.read',
    reply: Type.Object({
      rows: Type.Array(Type.Object({ merNo: Type.Integer(), name: Type.String(), money: Money })),
    }),
  },
  /** By the day of its release, in the merchant's time zone. */
  'GET /reserves/:merNo': {
    access: 'settlement.read',
    params: Type.Object({ merNo: MerNo }),
    reply: Type.Object({
      name: Type.String(),
      days: Type.Array(Type.Object({ day: Type.String(), orders: Type.Integer(), money: Money })),
    }),
  },
} as const satisfies Routes
