// The operators' start page: who fails, the volumes of the days, open work, the health of channels and endpoints; and
// the checks of the installation.
import { Type } from 'typebox'
import { Endpoint } from '../overview/api.ts'
import { Currencies, Total } from '../overview/total.ts'
import { ofEachQueue } from '../queues/api.ts'
import type { Routes } from '../route.ts'
import { Run } from '../runs/wire.ts'
import { Moment, Nothing, orNull, Reason } from '../schemas.ts'

const MaybeMoment = orNull(Moment)

/** Payments, or the calls of a channel, that were decided. */
const Decided = Type.Object({ paid: Type.Integer(), failed: Type.Integer() })
const compared = { now: Decided, usual: Decided } as const

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
    }),
  },
  /** The payments of all merchants. Reading these counts costs more than the other numbers, so pages ask less often. */
  'GET /operations/payments': {
    access: 'approvals.read',
    reply: Type.Object({
      /**
       * The channels and merchants whose success rate dropped, the largest drop first. For a channel, `now` is the last
       * hour; for a merchant, it is the current hour and the hour before. `usual` is the seven days before `now`.
       */
      failing: Type.Array(
        Type.Union([
          Type.Object({ kind: Type.Literal('channel'), name: Type.String(), ...compared }),
          Type.Object({
            kind: Type.Literal('merchant'),
            name: Type.String(),
            merNo: Type.Integer(),
            ...compared,
          }),
        ]),
      ),
      /** The totals of fourteen days, which are days in each merchant's time zone. Null without any orders. */
      total: orNull(Total),
      currencies: Currencies,
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
