// Views: a list with its filters and columns under a name. The address of the list is the view; this only remembers it.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, text } from '../schemas.ts'

const content = {
  name: text(60),
  /** The query of the list's address. */
  query: Type.String({ maxLength: 2000 }),
  /** Names of columns, separated by commas; empty: the usual ones. */
  columns: Type.String({ maxLength: 400, pattern: '^[A-Za-z,]*$' }),
  shared: Type.Boolean(),
} as const

const View = Type.Object({
  viewId: Type.String(),
  ...content,
  /** Whether the caller made it, and may change it. */
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
