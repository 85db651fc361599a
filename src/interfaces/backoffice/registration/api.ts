// A company registers itself: the form, a mail with a link, then `POST /account/link/use` creates it. Operators approve it.
import { Type } from 'typebox'
import { Language } from '../account/api.ts'
import type { Routes } from '../route.ts'
import { Nothing, text } from '../schemas.ts'

export const registrationApi = {
  /** The reply is the same for an address that already has an account; its owner gets a mail. */
  'POST /registration': {
    access: 'public',
    body: Type.Object({
      company: text(100),
      /** The contact's name. */
      contact: text(100),
      email: Type.String({ minLength: 3, maxLength: 255 }),
      /** A host name or an address, as in `shop.example`. */
      website: text(255),
      /** ISO 3166-1 alpha-2. */
      country: Type.String({ pattern: '^[A-Z]{2}$' }),
      language: Type.Optional(Language),
    }),
    reply: Nothing,
  },
} as const satisfies Routes
