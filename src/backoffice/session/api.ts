// Signing in and out. A session begins with the password, and counts once the second factor was given, if the person has one.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Nothing } from '../schemas.ts'

/** What the person has to do next: `enrol` sets up a second factor, which operators must have. */
const Next = Type.Union([Type.Literal('done'), Type.Literal('factor'), Type.Literal('enrol')])

const Me = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  merNo: Type.Integer(),
  company: Type.String(),
  role: Type.String(),
  permissions: Type.Array(Type.String()),
  language: Type.Union([Type.String(), Type.Null()]),
})

export const sessionApi = {
  'GET /session': {
    access: 'public',
    reply: Type.Object({
      mode: Type.Union([Type.Literal('sandbox'), Type.Literal('live')]),
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
  'DELETE /session': { access: 'signed-in', reply: Nothing },
} as const satisfies Routes
