// What a company sees about itself, and what it says about itself.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { MerNo, text } from '../schemas.ts'

/** As the company's people entered them; empty until then. */
const details = {
  contact: Type.String(),
  email: Type.String(),
  website: Type.String(),
  /** ISO 3166-1 alpha-2. */
  country: Type.String(),
} as const

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
      details: Type.Object({ ...details, version: Type.Integer() }),
    }),
  },
  /** The company's name is changed by operators. */
  'PUT /company/details': {
    access: 'company.edit',
    body: Type.Object({
      contact: text(100),
      email: Type.String({ minLength: 3, maxLength: 255 }),
      website: text(255),
      country: Type.String({ maxLength: 2 }),
      version: Type.Integer({ minimum: 0 }),
    }),
    reply: Type.Object({ version: Type.Integer() }),
  },
  'GET /merchants/:merNo/company': {
    access: 'merchants.read',
    params: Type.Object({ merNo: MerNo }),
    reply: Type.Object(details),
  },
} as const satisfies Routes
