// Signing in and out. A session begins with the password. If the person has or needs a second factor, the session is
// complete only once the factor is given.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Nothing, oneOf, orNull } from '../schemas.ts'
import { Next, PasskeyAnswer, PasskeyRequest } from './factor-schemas.ts'

const Me = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  merNo: Type.Integer(),
  company: Type.String(),
  role: Type.String(),
  permissions: Type.Array(Type.String()),
  language: orNull(Type.String()),
  /** The person's second factors. A person who has none gives the password again before a dangerous action. */
  factors: Type.Array(oneOf('totp', 'passkey')),
})

export const sessionApi = {
  'GET /session': {
    access: 'public',
    reply: Type.Object({
      mode: oneOf('sandbox', 'live'),
      registration: Type.Boolean(),
      /**
       * The only origin whose pages can use passkeys. Null if there is none. For a gateway at 127.0.0.1, this is the
       * origin with the host name localhost.
       */
      passkeyOrigin: orNull(Type.String()),
      /** The signed-in person. Missing if nobody is signed in. `next` is the step that the session still lacks. */
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
  /** Gives the second factor, at sign-in or before a dangerous action. The body has exactly one of the three fields. */
  'POST /session/factor': {
    access: 'password-given',
    body: Type.Object({
      /** The six digits of the authenticator app, or a recovery code. */
      code: Type.Optional(Type.String({ minLength: 6, maxLength: 40 })),
      passkey: Type.Optional(PasskeyAnswer),
      /** The password. Accepted only from people who neither have nor need a second factor. */
      password: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    }),
    reply: Type.Object({
      next: Next,
      /** The number of recovery codes that are left. Set if the given code was a recovery code. */
      recoveryCodesLeft: Type.Optional(Type.Integer()),
    }),
  },
  'POST /session/passkey': { access: 'password-given', reply: PasskeyRequest },
} as const satisfies Routes
