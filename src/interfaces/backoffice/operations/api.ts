// The operators' start page: open work, the health of the channels, today's sums compared with earlier days, and the
// checks of the installation.
import { Type } from 'typebox'
import { Endpoint } from '../overview/api.ts'
import { ofEachQueue } from '../queues/api.ts'
import type { Routes } from '../route.ts'
import { Run } from '../runs/wire.ts'
import { Moment, Money, Nothing, orNull, Reason } from '../schemas.ts'

const MaybeMoment = orNull(Moment)

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
      /** The number of disputes that have to be answered within three days, and the next deadline of all disputes. */
      disputesDue: Type.Object({ count: Type.Integer(), next: MaybeMoment }),
      channels: Type.Array(
        Type.Object({
          name: Type.String(),
          isPaused: Type.Boolean(),
          calls: Type.Integer(),
          failed: Type.Integer(),
          unknown: Type.Integer(),
          meanMs: orNull(Type.Integer()),
        }),
      ),
      /** The endpoints that answered worst in the last day, ten at most, among at most sixty merchants. */
      endpoints: Type.Array(Endpoint),
      /** The newest run that checks the books. Null if no operator has started one. */
      verify: orNull(Run),
      /** The sums of all merchants. Earlier days count up to the end of the current hour. */
      today: Type.Array(Type.Object({ currency: Type.String(), today: Day, yesterday: Day, lastWeek: Day })),
    }),
  },
  // The findings name paths and addresses of the installation, so reading them needs `platform.edit`.
  'GET /doctor': {
    access: 'platform.edit',
    reply: Type.Object({ runs: Type.Array(Run) }),
  },
  'POST /doctor': {
    access: 'platform.edit',
    reply: Type.Object({ runId: Type.String() }),
  },
  /** Makes the gateway rebuild the search index of orders and the counts of the overview. */
  'POST /search/rebuild': {
    access: 'platform.edit',
    dangerous: true,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
} as const satisfies Routes
