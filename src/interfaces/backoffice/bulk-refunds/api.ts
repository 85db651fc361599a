// Bulk refunds of many orders. A dry run shows what would happen to each order. Then the same person starts the bulk
// refund, and a worker makes the refunds.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { MerNo, Moment, Money, Nothing, ofMerchant, oneOf, orNull, Reason } from '../schemas.ts'

export const MOST_ROWS = 1000

const Row = Type.Object({
  rowNo: Type.Integer(),
  number: Type.String(),
  tradeNo: orNull(Type.String()),
  merOrderNo: Type.String(),
  money: orNull(Money),
  state: oneOf('ready', 'refused', 'accepted', 'failed'),
  message: Type.String(),
  refundNo: orNull(Type.String()),
})

const Bulk = Type.Object({
  bulkId: Type.String(),
  state: oneOf('checked', 'running', 'done', 'cancelled'),
  reason: Type.String(),
  /** The person who checked the orders. Only this person may start the refunds. */
  email: Type.String(),
  isOwn: Type.Boolean(),
  version: Type.Integer(),
  createdAt: Moment,
  finishedAt: orNull(Moment),
  counts: Type.Object({
    ready: Type.Integer(),
    refused: Type.Integer(),
    accepted: Type.Integer(),
    failed: Type.Integer(),
  }),
  /** The sums, by currency, of the rows that are ready or accepted. */
  totals: Type.Array(Money),
})

const OfBulk = Type.Object({ bulkId: Type.String({ maxLength: 32 }) })

export const bulkRefundsApi = {
  'GET /bulk-refunds': {
    access: 'refunds.read',
    query: Type.Object(ofMerchant),
    reply: Type.Object({ rows: Type.Array(Bulk) }),
  },
  'POST /bulk-refunds': {
    access: 'refunds.create',
    body: Type.Object({
      merNo: Type.Optional(MerNo),
      reason: Reason,
      /**
       * `number` is a trade number or the merchant's order number. Without `amount`, everything that can still be
       * refunded is refunded.
       */
      rows: Type.Array(
        Type.Object({
          number: Type.String({ minLength: 1, maxLength: 64 }),
          amount: Type.Optional(Type.String({ maxLength: 20 })),
        }),
        { minItems: 1, maxItems: MOST_ROWS },
      ),
    }),
    bodyLimit: 262_144,
    reply: Bulk,
  },
  'GET /bulk-refunds/:bulkId': {
    access: 'refunds.read',
    params: OfBulk,
    reply: Type.Object({ bulk: Bulk, rows: Type.Array(Row) }),
  },
  'POST /bulk-refunds/:bulkId/start': {
    access: 'refunds.create',
    params: OfBulk,
    body: Type.Object({ version: Type.Integer() }),
    dangerous: true,
    reply: Bulk,
  },
  'DELETE /bulk-refunds/:bulkId': { access: 'refunds.create', params: OfBulk, reply: Nothing },
} as const satisfies Routes
