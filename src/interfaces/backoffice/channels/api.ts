// Channels and payout rails: their health, and the calls that pause, resume and check them.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, orNull, Reason } from '../schemas.ts'

const Channel = Type.Object({
  name: Type.String(),
  /** The protocol of the channel. Null if no entry of the settings describes the channel. */
  protocol: orNull(Type.String()),
  /** The names of the settings. Values are not shown, because they may be secrets. */
  settings: Type.Array(Type.String()),
  methods: Type.Array(Type.String()),
  canRefund: Type.Boolean(),
  currencies: Type.Union([Type.Literal('any'), Type.Array(Type.String())]),
  paused: orNull(Type.Object({ since: Moment, by: Type.String(), reason: Type.String() })),
  /** Set if the channel's background work fails. The work is, for example, reading files, reports or blocks. */
  workFails: orNull(Type.Object({ since: Moment, why: Type.String() })),
  /**
   * The number of calls by outcome, and their mean duration. Only calls that open payments, send payouts or tokenise
   * cards are counted.
   */
  lastHour: Type.Object({
    calls: Type.Integer(),
    answered: Type.Integer(),
    declined: Type.Integer(),
    failed: Type.Integer(),
    unknown: Type.Integer(),
    meanMs: orNull(Type.Integer()),
  }),
})

const params = Type.Object({ name: Type.String({ maxLength: 40 }) })

export const channelsApi = {
  'GET /channels': {
    access: 'channels.read',
    reply: Type.Object({ channels: Type.Array(Channel) }),
  },
  /**
   * Pauses a channel or rail. Routing then skips it for new payments and payouts. Open payments and payouts are still
   * polled. The second factor is not required, because an operator pauses a channel in an emergency.
   */
  'POST /channels/:name/pause': {
    access: 'channels.edit',
    params,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
  /** Checks a channel with a query that changes nothing at the counterparty. */
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
