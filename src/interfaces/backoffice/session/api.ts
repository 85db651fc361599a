// Signing in and out. A session begins with the password, and counts once the second factor was given, if the person has one.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Nothing } from '../schemas.ts'
import { Next, PasskeyAnswer, PasskeyRequest } from './factor-schemas.ts'

const Me = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  merNo: Type.Integer(),
  company: Type.String(),
  role: Type.String(),
  permissions: Type.Array(Type.String()),
  language: Type.Union([Type.String(), Type.Null()]),
  /** What this person may give as a second factor; nothing: the password is asked for again. */
  factors: Type.Array(Type.Union([Type.Literal('totp'), Type.Literal('passkey')])),
})

export const sessionApi = {
  'GET /session': {
    access: 'public',
    reply: Type.Object({
      mode: Type.Union([Type.Literal('sandbox'), Type.Literal('live')]),
      /** Whether companies may register themselves. */
      registration: Type.Boolean(),
      /** The only origin whose pages can use passkeys; null if there is none. On 127.0.0.1 it is localhost. */
      passkeyOrigin: Type.Union([Type.String(), Type.Null()]),
      /** Missing without a session; `next` says what it still lacks. */
      me: Type.Optional(Me),
      next: Type.Optional(Next),
    }),
  },
  'POST /session': {
    access: 'public',
    body: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 255 }),
      password: Type.String({ minLength: 1, maxLength: 200 }),
    }),
    reply: Type.Object({ next: Next }),
  },
  'DELETE /session': { access: 'password-given', reply: Nothing },
  /** The second factor, at sign-in and again before a dangerous action. Exactly one of the fields. */
  'POST /session/factor': {
    access: 'password-given',
    body: Type.Object({
      /** Six digits of the authenticator app, or a recovery code. */
      code: Type.Optional(Type.String({ minLength: 6, maxLength: 40 })),
      passkey: Type.Optional(PasskeyAnswer),
      /** Only for people without a second factor. */
      password: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    }),
    reply: Type.Object({
      next: Next,
      /** After a recovery code: how many are left. */
      recoveryCodesLeft: Type.Optional(Type.Integer()),
    }),
  },
  /** Begins to ask for a passkey. */
  'POST /session/passkey': { access: 'password-given', reply: PasskeyRequest },
} as const satisfies Routes
