import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { orNull, Reason, text } from '../schemas.ts'

const Limit = orNull(Type.String())
const Limits = Type.Object({ method: Type.String(), daily: Limit, monthly: Limit })

/** The limits in US dollars, per day and per month. */
const sums = {
  daily: Type.Optional(text(20)),
  monthly: Type.Optional(text(20)),
} as const

export const platformApi = {
  'GET /platform/limits': {
    access: 'merchants.read',
    reply: Type.Object({ limits: Type.Array(Limits) }),
  },
  'PUT /platform/limits/:method': {
    access: 'platform.edit',
    dangerous: true,
    params: Type.Object({ method: Type.String({ maxLength: 40 }) }),
    body: Type.Object({
      /** The new limits. `none` removes a limit. A missing limit stays unchanged. */
      ...sums,
      /** The limits that the person saw. */
      seen: Type.Optional(Type.Object(sums)),
      reason: Reason,
    }),
    reply: Type.Object({ limits: Type.Array(Limits) }),
  },
} as const satisfies Routes
