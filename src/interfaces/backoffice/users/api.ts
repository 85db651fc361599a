// The people of a company and their roles. A call by an operator is about the named merchant's people or, if no
// merchant is named, about the operators.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, ofMerchant, oneOf, onPage, orNull, pageOf, Reason, text } from '../schemas.ts'

const User = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  state: oneOf('invited', 'active', 'disabled'),
  hasFactor: Type.Boolean(),
  createdAt: Moment,
  signedInAt: orNull(Moment),
  version: Type.Integer(),
})

/** Set if a second person must approve the change because it makes somebody an owner. Until then, nothing changes. */
const waiting = { approvalId: Type.Optional(Type.String()) } as const
const ChangedUser = Type.Object({ ...User.properties, ...waiting })

const Role = Type.Object({
  role: Type.String(),
  isBuiltIn: Type.Boolean(),
  permissions: Type.Array(Type.String()),
  users: Type.Integer(),
  /** 0 for a built-in role. Nobody can change built-in roles. */
  version: Type.Integer(),
})

const ofUser = Type.Object({ userId: Type.String({ maxLength: 60 }) })
/** The company whose people the call is about. Only operators name a merchant. */
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
  'POST /users': {
    access: 'users.edit',
    dangerous: true,
    query: company,
    body: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 255 }),
      name: text(100),
      role: Type.String({ maxLength: 40 }),
    }),
    reply: Type.Object({ userId: Type.String(), ...waiting }),
  },
  'PUT /users/:userId': {
    access: 'users.edit',
    dangerous: true,
    params: ofUser,
    query: company,
    body: Type.Object({ role: Type.String({ maxLength: 40 }), version: Version }),
    reply: ChangedUser,
  },
  /** Disables the person and ends all sessions of the person. */
  'POST /users/:userId/disable': {
    access: 'users.edit',
    dangerous: true,
    params: ofUser,
    query: company,
    body: Type.Object({ version: Version, reason: Reason }),
    reply: ChangedUser,
  },
  /** Enables the person. The person gets a mail with a link to set a new password. */
  'POST /users/:userId/enable': {
    access: 'users.edit',
    dangerous: true,
    params: ofUser,
    query: company,
    body: Type.Object({ version: Version }),
    reply: ChangedUser,
  },
  'POST /users/:userId/resend': {
    access: 'users.edit',
    params: ofUser,
    query: company,
    reply: Nothing,
  },
  /** Removes all second factors and recovery codes of the person, and ends all sessions of the person. */
  'POST /users/:userId/reset-factor': {
    access: 'users.edit',
    dangerous: true,
    params: ofUser,
    query: company,
    body: Type.Object({ version: Version, reason: Reason }),
    reply: ChangedUser,
  },

  'GET /roles': {
    access: 'users.read',
    query: company,
    reply: Type.Object({
      rows: Type.Array(Role),
      /** The permissions that the caller may put into a role. Empty if the roles belong to another company. */
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
  /** Deletes a role. The call is refused if anybody still has the role. */
  'DELETE /roles/:role': {
    access: 'users.edit',
    dangerous: true,
    params: Type.Object({ role: Type.String({ maxLength: 40 }) }),
    query: company,
    reply: Nothing,
  },

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
