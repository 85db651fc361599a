// The first page of operators: what needs attention, how channels answer, today beside earlier days; and the checks of the
// installation.
import { Type } from 'typebox'
import { ofEachQueue } from '../queues/api.ts'
import type { Routes } from '../route.ts'
import { Run } from '../runs/runs.ts'
import { Moment, Money, Nothing, Reason } from '../schemas.ts'

const MaybeMoment = Type.Union([Moment, Type.Null()])

const Day = Type.Object({
  orders: Type.Integer(),
  paid: Type.Integer(),
  failed: Type.Integer(),
  volume: Money,
})

export const operationsApi = {
  'GET /operations': {
    access: 'approvals.read',
    reply: Type.Object({
      queues: Type.Object(ofEachQueue(Type.Object({ count: Type.Integer(), since: MaybeMoment }))),
      /** Those that have to be answered within three days, and the next deadline of all. */
      disputesDue: Type.Object({ count: Type.Integer(), next: MaybeMoment }),
      channels: Type.Array(
        Type.Object({
          name: Type.String(),
          isPaused: Type.Boolean(),
          /** Of the last hour. */
          calls: Type.Integer(),
          failed: Type.Integer(),
          unknown: Type.Integer(),
          meanMs: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ),
      /** The last check of the books that an operator started. */
      verify: Type.Union([Run, Type.Null()]),
      /** Of all merchants, by currency. Earlier days count until the same hour as today. */
      today: Type.Array(Type.Object({ currency: Type.String(), today: Day, yesterday: Day, lastWeek: Day })),
    }),
  },
  'GET /doctor': {
    access: 'platform.edit',
    reply: Type.Object({ runs: Type.Array(Run) }),
  },
  /** Changes nothing. */
  'POST /doctor': {
    access: 'platform.edit',
    reply: Type.Object({ runId: Type.String() }),
  },
  /** Empties the search over orders and the counts of the overview; the gateway builds them anew. */
  'POST /search/rebuild': {
    access: 'platform.edit',
    dangerous: true,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
} as const satisfies Routes
