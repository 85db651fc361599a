// The reference lists that operators can change. A call with `dryRun` returns the changes and saves nothing.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { onPage, pageOf, Reason } from '../schemas.ts'

const List = Type.String({ maxLength: 40 })
const Code = Type.String({ maxLength: 40 })
const params = Type.Object({ code: Code })

const Item = Type.Object({
  code: Type.String(),
  name: Type.String(),
  bic: Type.String(),
  version: Type.String(),
})

const given = {
  list: List,
  name: Type.String({ maxLength: 200 }),
  bic: Type.Optional(Type.String({ maxLength: 20 })),
} as const

const editing = { dryRun: Type.Optional(Type.Boolean()), reason: Reason } as const

/** The version that the person saw. */
const version = Type.Optional(Type.String({ maxLength: 64 }))

const Changed = Type.Object({
  changes: Type.Array(Type.Object({ name: Type.String(), before: Type.Unknown(), after: Type.Unknown() })),
})

export const referenceApi = {
  'GET /reference-lists': {
    access: 'merchants.read',
    reply: Type.Object({
      lists: Type.Array(
        Type.Object({
          list: Type.String(),
          version: Type.Integer(),
          items: Type.Integer(),
          hasBic: Type.Boolean(),
        }),
      ),
    }),
  },
  'GET /reference-items': {
    access: 'merchants.read',
    query: Type.Object({ list: List, search: Type.Optional(Type.String({ maxLength: 100 })), ...onPage }),
    reply: pageOf(Item),
  },
  'POST /reference-items': {
    access: 'platform.edit',
    body: Type.Object({ code: Code, ...given, ...editing }),
    reply: Changed,
  },
  'PUT /reference-items/:code': {
    access: 'platform.edit',
    params,
    body: Type.Object({ ...given, version, ...editing }),
    reply: Changed,
  },
  'POST /reference-items/:code/remove': {
    access: 'platform.edit',
    params,
    body: Type.Object({ list: List, version, ...editing }),
    reply: Changed,
  },
} as const satisfies Routes
