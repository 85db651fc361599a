// Saved views. A view is a named list with filters and columns. The filters are stored as a query string.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, text } from '../schemas.ts'

const content = {
  name: text(60),
  /** The query string of the list's address. */
  query: Type.String({ maxLength: 2000 }),
  /** The names of the columns, separated by commas. If empty, the list shows its default columns. */
  columns: Type.String({ maxLength: 400, pattern: '^[A-Za-z,]*$' }),
  shared: Type.Boolean(),
} as const

const View = Type.Object({
  viewId: Type.String(),
  ...content,
  /** True if the caller made the view. Only that person may change the view. */
  isOwn: Type.Boolean(),
  version: Type.Integer(),
  createdAt: Moment,
})

const OfView = Type.Object({ viewId: Type.String({ maxLength: 32 }) })

export const viewsApi = {
  'GET /views': { access: 'orders.read', reply: Type.Object({ rows: Type.Array(View) }) },
  'POST /views': { access: 'orders.read', body: Type.Object(content), reply: View },
  'PUT /views/:viewId': {
    access: 'orders.read',
    params: OfView,
    body: Type.Object({ ...content, version: Type.Integer() }),
    reply: View,
  },
  'DELETE /views/:viewId': { access: 'orders.read', params: OfView, reply: Nothing },
} as const satisfies Routes
