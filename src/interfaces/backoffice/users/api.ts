// The people of a company, or the operators, and their roles. Operators name the merchant; without one they mean themselves.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, ofMerchant, onPage, pageOf, Reason, text } from '../schemas.ts'

const User = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  state: Type.Union([Type.Literal('invited'), Type.Literal('active'), Type.Literal('disabled')]),
  hasFactor: Type.Boolean(),
  createdAt: Moment,
  signedInAt: Type.Union([Moment, Type.Null()]),
  version: Type.Integer(),
})

const Role = Type.Object({
  role: Type.String(),
  isBuiltIn: Type.Boolean(),
  permissions: Type.Array(Type.String()),
  users: Type.Integer(),
  /** 0 for built-in roles, which nobody can change. */
  version: Type.Integer(),
})

const ofUser = Type.Object({ userId: Type.String({ maxLength: 60 }) })
/** `merNo` is needed only by operators who change a merchant's people. */
const company = Type.Object({ ...ofMerchant })
const Version = Type.Integer({ minimum: 1 })
const RoleName = Type.String({ pattern: '^[a-z][a-z0-9-]{1,39}$', maxLength: 40 })
const Permissions = Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: 100 })

export const usersApi = {
  'GET /users': {
    access: 'users.read',
    query: Type.Object({ ...ofMerchant, ...onPage }),
    reply: pageOf(User),
  },
  /** Sends an invitation by mail. */
  'POST /users': {
    access: 'users.edit',
    dangerous: true,
    query: company,
    body: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 255 }),
      name: text(100),
      role: Type.String({ maxLength: 40 }),
    }),
    reply: Type.Object({ userId: Type.String() }),
  },
  'PUT /users/:userId': {
    access: 'users.edit',
    dangerous: true,
    params: ofUser,
    query: company,
    body: Type.Object({ role: Type.String({ maxLength: 40 }), version: Version }),
    reply: User,
  },
  /** Ends all sessions of the person. */
  'POST /users/:userId/disable': {
    access: 'users.edit',
    dangerous: true,
    params: ofUser,
    query: company,
    body: Type.Object({ version: Version, reason: Reason }),
    reply: User,
  },
  /** The person gets a new link to set a password. */
  'POST /users/:userId/enable': {
    access: 'users.edit',
    dangerous: true,
    params: ofUser,
    query: company,
    body: Type.Object({ version: Version }),
    reply: User,
  },
  'POST /users/:userId/resend': {
    access: 'users.edit',
    params: ofUser,
    query: company,
    reply: Nothing,
  },
  /** Removes all second factors and recovery codes, and ends all sessions. */
  'POST /users/:userId/reset-factor': {
    access: 'users.edit',
    dangerous: true,
    params: ofUser,
    query: company,
    body: Type.Object({ version: Version, reason: Reason }),
    reply: User,
  },

  'GET /roles': {
    access: 'users.read',
    query: company,
    reply: Type.Object({
      rows: Type.Array(Role),
      /** What the caller may put into a role: nobody grants what he does not have. */
      grantable: Type.Array(Type.String()),
    }),
  },
  'POST /roles': {
    access: 'users.edit',
    dangerous: true,
    query: company,
    body: Type.Object({ role: RoleName, permissions: Permissions }),
    reply: Role,
  },
  'PUT /roles/:role': {
    access: 'users.edit',
    dangerous: true,
    params: Type.Object({ role: Type.String({ maxLength: 40 }) }),
    query: company,
    body: Type.Object({ permissions: Permissions, version: Version }),
    reply: Role,
  },
  /** Refused while somebody has it. */
  'DELETE /roles/:role': {
    access: 'users.edit',
    dangerous: true,
    params: Type.Object({ role: Type.String({ maxLength: 40 }) }),
    query: company,
    reply: Nothing,
  },

  /** What the company asks of its people. */
  'GET /sign-in-rules': {
    access: 'users.read',
    query: company,
    reply: Type.Object({ factorRequired: Type.Boolean(), version: Type.Integer() }),
  },
  'PUT /sign-in-rules': {
    access: 'users.edit',
    dangerous: true,
    query: company,
    body: Type.Object({ factorRequired: Type.Boolean(), version: Type.Integer({ minimum: 0 }) }),
    reply: Type.Object({ factorRequired: Type.Boolean(), version: Type.Integer() }),
  },
} as const satisfies Routes
