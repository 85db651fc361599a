// Exports of lists as CSV files, which a worker writes in the background. An export of orders uses the filters and
// columns of the order list. Other lists are filtered only by state and days.
import { type Static, Type } from 'typebox'
import { OrderFilterFields } from '../orders/api.ts'
import type { Routes } from '../route.ts'
import { MerNo, Moment, Nothing, ofMerchant, oneOf, orNull, text } from '../schemas.ts'

const columns = Type.String({ maxLength: 400, pattern: '^[A-Za-z,]*$' })

const List = oneOf('orders', 'refunds', 'payouts', 'disputes')
export type ExportedList = Static<typeof List>
const ofList = { list: Type.Optional(List) } as const

const Export = Type.Object({
  exportId: Type.String(),
  list: List,
  filter: OrderFilterFields,
  columns: Type.String(),
  state: oneOf('running', 'done', 'failed'),
  rows: Type.Integer(),
  /** The time of the last written line. Lines are written newest first. */
  reachedAt: orNull(Moment),
  problem: Type.String(),
  createdAt: Moment,
  finishedAt: orNull(Moment),
  expiresAt: Moment,
})

const Every = oneOf('day', 'week')

const Schedule = Type.Object({
  scheduleId: Type.String(),
  name: Type.String(),
  email: Type.String(),
  list: List,
  filter: OrderFilterFields,
  columns: Type.String(),
  every: Every,
  nextAt: Moment,
})

const OfExport = Type.Object({ exportId: Type.String({ maxLength: 32 }) })
const OfSchedule = Type.Object({ scheduleId: Type.String({ maxLength: 32 }) })

export const exportsApi = {
  'GET /exports': {
    access: 'orders.export',
    query: Type.Object(ofMerchant),
    reply: Type.Object({ rows: Type.Array(Export) }),
  },
  'POST /exports': {
    access: 'orders.export',
    body: Type.Object({ ...ofList, filter: OrderFilterFields, columns }),
    reply: Export,
  },
  'GET /exports/:exportId/file': { access: 'orders.export', params: OfExport, reply: 'file' },
  'DELETE /exports/:exportId': { access: 'orders.export', params: OfExport, reply: Nothing },
  'GET /export-schedules': {
    access: 'orders.export',
    query: Type.Object(ofMerchant),
    reply: Type.Object({ rows: Type.Array(Schedule) }),
  },
  'POST /export-schedules': {
    access: 'orders.export',
    body: Type.Object({
      merNo: Type.Optional(MerNo),
      name: text(60),
      ...ofList,
      filter: OrderFilterFields,
      columns,
      every: Every,
    }),
    reply: Schedule,
  },
  'DELETE /export-schedules/:scheduleId': {
    access: 'orders.export',
    params: OfSchedule,
    reply: Nothing,
  },
} as const satisfies Routes
