import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Reason, text } from '../schemas.ts'

const Currency = Type.String({ pattern: '^[A-Z]{3,5}$' })

const Rate = Type.Object({
  from: Type.String(),
  to: Type.String(),
  rate: Type.String(),
  validFrom: Moment,
  /** True if the rate is computed from the rate in the opposite direction. */
  isDerived: Type.Boolean(),
})

export const ratesApi = {
  'GET /rates': {
    access: 'rates.read',
    query: Type.Object({ currency: Type.Optional(Currency) }),
    reply: Type.Object({
      rates: Type.Array(Rate),
      /** The rates that become valid in the future, the earliest first. */
      coming: Type.Array(Rate),
    }),
  },
  'GET /rates/:from/:to': {
    access: 'rates.read',
    params: Type.Object({ from: Currency, to: Currency }),
    reply: Type.Object({ history: Type.Array(Rate) }),
  },
  'POST /rates': {
    access: 'rates.edit',
    dangerous: true,
    body: Type.Object({
      from: text(5),
      to: text(5),
      rate: text(26),
      /** The time from which the rate is valid. If missing, the rate is valid at once. */
      validFrom: Type.Optional(Moment),
      /** If true, the rate is saved even if its product with the opposite rate is above 1 or below 0.9. */
      confirm: Type.Optional(Type.Boolean()),
      reason: Reason,
    }),
    reply: Type.Object({
      /** The rate in the opposite direction, if it is computed from this rate. */
      derived: Type.Array(Type.Object({ from: Type.String(), to: Type.String(), rate: Type.String() })),
    }),
  },
} as const satisfies Routes
