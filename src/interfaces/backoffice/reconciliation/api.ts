// Statements of channels. Operators import statements, see the differences from our records, and resolve each
// difference.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Run } from '../runs/wire.ts'
import { Moment, Money, Nothing, oneOf, onPage, orNull, pageOf, Reason, text } from '../schemas.ts'

const Statement = Type.Object({
  statementId: Type.String(),
  channel: Type.String(),
  fileName: Type.String(),
  from: orNull(Type.String()),
  to: orNull(Type.String()),
  lines: Type.Integer(),
  matched: Type.Integer(),
  /**
   * The number of all differences. At most 1,000 differences of the kind `not repeated` and 1,000 of other kinds are
   * listed.
   */
  different: Type.Integer(),
  /** The number of differences that are still open. */
  open: Type.Integer(),
  /** The number of amounts that were booked to suspense. */
  booked: Type.Integer(),
  /** The number of amounts that left suspense because of a reversal, or because no statement lists them any more. */
  withdrawn: Type.Integer(),
  /** The fees that the channel kept according to its statement. */
  fees: Type.Array(Money),
  importedBy: Type.String(),
  importedAt: Moment,
})

const Difference = Type.Object({
  no: Type.Integer(),
  kind: oneOf(
    'missing here',
    'missing there',
    'open here',
    'differs',
    'twice',
    'reversed',
    'withdrawn',
    'not repeated',
  ),
  type: oneOf('payment', 'refund', 'payout', 'chargeback'),
  reference: Type.String(),
  line: Type.Optional(Type.Integer()),
  tradeNo: Type.Optional(Type.String()),
  theirs: Type.Optional(Money),
  ours: Type.Optional(Money),
  /** The id of the amount in suspense that belongs to the difference. */
  suspenseId: Type.Optional(Type.String()),
  /** The earlier statement that lists the line. Set if this statement does not repeat the line. */
  listedBy: Type.Optional(Type.String()),
  state: oneOf('open', 'explained', 'decided', 'listed'),
  closedBy: Type.Optional(Type.String()),
  closedAt: Type.Optional(Moment),
  note: Type.Optional(Type.String()),
})

const StatementKey = Type.Object({ statementId: Type.String({ maxLength: 32 }) })

const onImport = {
  /** An earlier statement of the channel. The lines that only the earlier statement lists are withdrawn. */
  replaces: Type.Optional(Type.String({ maxLength: 32 })),
  reason: Type.Optional(Reason),
}

/** The maximum size of a file. Larger files can be imported on the command line. */
export const MOST_FILE_BYTES = 8_388_608

export const reconciliationApi = {
  'GET /reconciliation/statements': {
    access: 'reconciliation.read',
    query: Type.Object({ ...onPage, channel: Type.Optional(Type.String({ maxLength: 40 })) }),
    reply: pageOf(Statement),
  },
  'GET /reconciliation/statements/:statementId': {
    access: 'reconciliation.read',
    params: StatementKey,
    reply: Type.Object({ statement: Statement }),
  },
  'GET /reconciliation/statements/:statementId/differences': {
    access: 'reconciliation.read',
    params: StatementKey,
    query: Type.Object({
      ...onPage,
      state: Type.Optional(oneOf('open', 'closed')),
    }),
    reply: pageOf(Difference),
  },
  /** Lists the newest imports, both running and ended. */
  'GET /reconciliation/imports': {
    access: 'reconciliation.read',
    reply: Type.Object({ runs: Type.Array(Run) }),
  },
  'POST /reconciliation/imports': {
    access: 'reconciliation.edit',
    /** The limit allows for the file as JSON text and for the other fields. */
    bodyLimit: 2 * MOST_FILE_BYTES,
    body: Type.Object({
      channel: text(40),
      fileName: text(120),
      content: Type.String({ minLength: 1 }),
      ...onImport,
    }),
    reply: Type.Object({ runId: Type.String() }),
  },
  /** Fetches the channel's statement of a day in UTC. */
  'POST /reconciliation/fetches': {
    access: 'reconciliation.edit',
    body: Type.Object({ channel: text(40), day: text(10), ...onImport }),
    reply: Type.Object({ runId: Type.String() }),
  },
  /** Closes a difference with an explanation. No money moves. */
  'POST /reconciliation/statements/:statementId/differences/:no/explain': {
    access: 'reconciliation.edit',
    params: Type.Object({
      ...StatementKey.properties,
      no: Type.Integer({ minimum: 1, maximum: 100_000 }),
    }),
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
} as const satisfies Routes
