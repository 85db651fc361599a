// The alerts that a person gets by mail. A person may switch off every alert that is not always on.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Nothing, oneOf } from '../schemas.ts'

export const AlertKind = oneOf(
  'delivery-failed',
  'dispute-opened',
  'dispute-due',
  'payout-result',
  'key-changed',
  'payout-account',
  'new-device',
)

export const alertsApi = {
  'GET /alerts': {
    access: 'signed-in',
    /** The kinds of alert that the person may get. A kind with `isAlwaysOn` cannot be switched off. */
    reply: Type.Object({
      rows: Type.Array(Type.Object({ kind: AlertKind, isOn: Type.Boolean(), isAlwaysOn: Type.Boolean() })),
    }),
  },
  'PUT /alerts': {
    access: 'signed-in',
    /** The kinds to switch on. All other kinds are switched off, except those that are always on. */
    body: Type.Object({ on: Type.Array(AlertKind, { maxItems: 20 }) }),
    reply: Nothing,
  },
} as const satisfies Routes
