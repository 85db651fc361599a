// The registration of a company. The mailed link leads to `POST /account/link/use`, which creates the company. Then
// operators approve the company.
import { Type } from 'typebox'
import { Language } from '../account/api.ts'
import type { Routes } from '../route.ts'
import { Nothing, text } from '../schemas.ts'

export const registrationApi = {
  /** The reply is the same whether or not the address has an account. The owner of an existing account gets a mail. */
  'POST /registration': {
    access: 'public',
    body: Type.Object({
      company: text(100),
      contact: text(100),
      email: Type.String({ minLength: 3, maxLength: 255 }),
      /** A host name such as `shop.example`, or a whole web address. */
      website: text(255),
      country: Type.String({ pattern: '^[A-Z]{2}$' }),
      language: Type.Optional(Language),
    }),
    reply: Nothing,
  },
} as const satisfies Routes
