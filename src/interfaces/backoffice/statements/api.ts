// Statements and fee invoices of a merchant, and the amounts that are still to be settled or released to the merchant.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Money, ofMerchant, oneOf } from '../schemas.ts'

const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })

const period = { ...ofMerchant, from: Day, to: Day } as const
const Balances = Type.Object({ available: Money, unsettled: Money })

const Due = Type.Object({ day: Type.String(), orders: Type.Integer(), money: Money })

export const statementsApi = {
  'GET /statements': {
    access: 'statements.read',
    query: Type.Object(ofMerchant),
    /** The reply contains the currencies that have bookings, and today's date in the merchant's time zone. */
    reply: Type.Object({
      company: Type.String(),
      timezone: Type.String(),
      today: Type.String(),
      currencies: Type.Array(Type.String()),
    }),
  },
  'GET /statement': {
    access: 'statements.read',
    query: Type.Object({ ...period, currency: Type.String({ minLength: 3, maxLength: 5 }) }),
    reply: Type.Object({
      opening: Balances,
      closing: Balances,
      steps: Type.Array(
        Type.Object({
          account: oneOf('available', 'unsettled'),
          step: Type.String(),
          entries: Type.Integer(),
          money: Money,
        }),
      ),
    }),
  },
  'GET /statement.csv': {
    access: 'statements.read',
    query: Type.Object({ ...period, currency: Type.String({ minLength: 3, maxLength: 5 }) }),
    reply: 'file',
  },
  'GET /invoice': {
    access: 'statements.read',
    query: Type.Object(period),
    reply: Type.Object({
      lines: Type.Array(Type.Object({ step: Type.String(), entries: Type.Integer(), money: Money })),
      totals: Type.Array(Money),
    }),
  },
  'GET /invoice.csv': { access: 'statements.read', query: Type.Object(period), reply: 'file' },
  'GET /settlements/coming': {
    access: 'statements.read',
    query: Type.Object(ofMerchant),
    /** The coming `settlements`, summed by day, and the margins that will be released (`reserves`), summed by month. */
    reply: Type.Object({ settlements: Type.Array(Due), reserves: Type.Array(Due) }),
  },
} as const satisfies Routes
