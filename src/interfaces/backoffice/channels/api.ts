// Channels: how they answer, and whether they are paused.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, Reason } from '../schemas.ts'

const Channel = Type.Object({
  name: Type.String(),
  /** Null: no entry of the settings describes it. */
  protocol: Type.Union([Type.String(), Type.Null()]),
  /** Names only: values may be secrets. */
  settings: Type.Array(Type.String()),
  methods: Type.Array(Type.String()),
  canRefund: Type.Boolean(),
  currencies: Type.Union([Type.Literal('any'), Type.Array(Type.String())]),
  paused: Type.Union([Type.Null(), Type.Object({ since: Moment, by: Type.String(), reason: Type.String() })]),
  /** Its background work fails: its files, reports or blocks are not read, or coin does not leave. */
  workFails: Type.Union([Type.Null(), Type.Object({ since: Moment, why: Type.String() })]),
  /** Payments that were opened there in the last hour, by how the channel answered. */
  lastHour: Type.Object({
    calls: Type.Integer(),
    answered: Type.Integer(),
    declined: Type.Integer(),
    failed: Type.Integer(),
    unknown: Type.Integer(),
    meanMs: Type.Union([Type.Integer(), Type.Null()]),
  }),
})

const params = Type.Object({ name: Type.String({ maxLength: 40 }) })

export const channelsApi = {
  'GET /channels': {
    access: 'channels.read',
    reply: Type.Object({ channels: Type.Array(Channel) }),
  },
  /** New payments pass it; what is open there is still asked about. Not dangerous: it is pressed in an emergency. */
  'POST /channels/:name/pause': {
    access: 'channels.edit',
    params,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
  /** Asks the counterparty something harmless. */
  'POST /channels/:name/check': {
    access: 'channels.edit',
    params,
    reply: Type.Object({ isRight: Type.Boolean(), message: Type.String() }),
  },
  'POST /channels/:name/resume': {
    access: 'channels.edit',
    params,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
} as const satisfies Routes
