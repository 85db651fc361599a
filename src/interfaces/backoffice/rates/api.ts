import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Reason, text } from '../schemas.ts'

const Currency = Type.String({ pattern: '^[A-Z]{3,5}$' })

const Rate = Type.Object({
  from: Type.String(),
  to: Type.String(),
  rate: Type.String(),
  validFrom: Moment,
  /** It follows from the opposite direction. */
  isDerived: Type.Boolean(),
})

export const ratesApi = {
  'GET /rates': {
    access: 'rates.read',
    query: Type.Object({ currency: Type.Optional(Currency) }),
    reply: Type.Object({
      rates: Type.Array(Rate),
      /** Those that begin later, soonest first. */
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
      /** Now, if it is missing. */
      validFrom: Type.Optional(Moment),
      reason: Reason,
    }),
    reply: Type.Object({
      /** The opposite direction, if it follows. */
      derived: Type.Array(Type.Object({ from: Type.String(), to: Type.String(), rate: Type.String() })),
    }),
  },
} as const satisfies Routes
