// The start page of operators: failing channels and merchants, daily volumes, open work, and the health of channels and
// endpoints. Also the checks of the installation.
import { Type } from 'typebox'
import { Endpoint } from '../overview/api.ts'
import { Currencies, Total } from '../overview/total.ts'
import { ofEachQueue } from '../queues/api.ts'
import type { Routes } from '../route.ts'
import { Run } from '../runs/wire.ts'
import { Moment, Nothing, orNull, Reason } from '../schemas.ts'

const MaybeMoment = orNull(Moment)

/** The number of payments with an outcome. For a channel, the number of its calls by outcome. */
const Decided = Type.Object({ paid: Type.Integer(), failed: Type.Integer() })
const compared = { now: Decided, usual: Decided } as const

export const operationsApi = {
  'GET /operations': {
    access: 'approvals.read',
    reply: Type.Object({
      queues: Type.Object(ofEachQueue(Type.Object({ count: Type.Integer(), since: MaybeMoment }))),
      /**
       * `count` is the number of open disputes that must be answered within three days or are overdue. `next` is the
       * earliest deadline of all open disputes.
       */
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
      /** At most ten endpoints: those that answered worst in the last day. At most sixty merchants are compared. */
      endpoints: Type.Array(Endpoint),
      /** The newest run that checks the books. Null if no operator has started one. */
      verify: orNull(Run),
    }),
  },
  /**
   * The payments of all merchants. These counts cost more to read than the other numbers, so pages request them less
   * often.
   */
  'GET /operations/payments': {
    access: 'approvals.read',
    reply: Type.Object({
      /**
       * The channels and merchants whose success rate dropped, the largest drop first. For a channel, `now` is the last
       * hour. For a merchant, `now` is the current hour and the hour before. `usual` is the seven days before `now`.
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
      /**
       * The totals of the last fourteen days. The days of each merchant are days in the merchant's time zone. Null if
       * there are no orders.
       */
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
  /** Makes a worker rebuild the search index of orders and the counts of the overview. */
  'POST /search/rebuild': {
    access: 'platform.edit',
    dangerous: true,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
} as const satisfies Routes
