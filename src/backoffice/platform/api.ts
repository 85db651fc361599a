import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Reason } from '../schemas.ts'

const Limit = Type.Union([Type.String(), Type.Null()])
const Pair = { daily: Limit, monthly: Limit } as const
const Limits = Type.Object({ method: Type.String(), ...Pair })

export const platformApi = {
  'GET /platform/limits': {
    access: 'merchants.read',
    reply: Type.Object({ limits: Type.Array(Limits) }),
  },
  'PUT /platform/limits/:method': {
    access: 'platform.edit',
    params: Type.Object({ method: Type.String({ maxLength: 40 }) }),
    /** In USD value; `none` removes a limit, and what is missing stays. */
    body: Type.Object({
      daily: Type.Optional(Type.String({ maxLength: 20 })),
      monthly: Type.Optional(Type.String({ maxLength: 20 })),
      /** What the person saw. */
      seen: Type.Optional(Type.Object(Pair)),
      reason: Reason,
    }),
    reply: Type.Object({ limits: Type.Array(Limits) }),
  },
} as const satisfies Routes
