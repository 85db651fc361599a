// The audit log. A merchant's people see the lines of their company. Operators see all lines.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, ofMerchant, oneOf, onPage, orNull, pageOf } from '../schemas.ts'

const line = {
  entryId: Type.String(),
  /** The merchant whose log contains the line, or 0 for the platform's log. */
  merNo: Type.Integer(),
  at: Moment,
  actorKind: oneOf('user', 'command', 'system'),
  actor: Type.String(),
  action: Type.String(),
  subject: Type.String(),
  reason: orNull(Type.String()),
} as const

const Change = orNull(Type.Record(Type.String(), Type.Unknown()))

const filters = {
  ...ofMerchant,
  actor: Type.Optional(Type.String({ maxLength: 255 })),
  /** An action, or the beginning of an action's name. */
  action: Type.Optional(Type.String({ maxLength: 100 })),
  subject: Type.Optional(Type.String({ maxLength: 255 })),
  from: Type.Optional(Moment),
  /** The end of the range. Lines at exactly this time are not included. */
  until: Type.Optional(Moment),
} as const

export const auditApi = {
  'GET /audit': {
    access: 'audit.read',
    query: Type.Object({ ...filters, ...onPage }),
    reply: pageOf(Type.Object(line)),
  },
  'GET /audit/:entryId': {
    access: 'audit.read',
    params: Type.Object({ entryId: Type.String({ maxLength: 60 }) }),
    reply: Type.Object({
      ...line,
      address: orNull(Type.String()),
      before: Change,
      after: Change,
    }),
  },
  'GET /audit.csv': { access: 'audit.read', query: Type.Object(filters), reply: 'file' },
} as const satisfies Routes
