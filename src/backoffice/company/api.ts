// What a company sees about itself.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'

export const companyApi = {
  /** For a merchant's people; operators see merchants by their own routes. */
  'GET /company': {
    access: 'signed-in',
    reply: Type.Object({
      merNo: Type.Integer(),
      name: Type.String(),
      state: Type.Union([
        Type.Literal('pending'),
        Type.Literal('active'),
        Type.Literal('suspended'),
        Type.Literal('closed'),
      ]),
      /** IANA name: days, dates and limits use this zone. */
      timezone: Type.String(),
      websites: Type.Array(Type.String()),
      askedWebsites: Type.Array(Type.String()),
      /** Which currency each settles in. */
      currencies: Type.Array(Type.Object({ currency: Type.String(), settlesIn: Type.String() })),
      /** Undefined: every method. */
      methods: Type.Optional(Type.Array(Type.String())),
    }),
  },
} as const satisfies Routes
