import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Run } from '../runs/runs.ts'
import { Moment, Reason } from '../schemas.ts'

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
} as const satisfies Routes
