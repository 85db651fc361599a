// Keys, websites and the settings of the merchant interface.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, ofMerchant, text } from '../schemas.ts'

const Settings = {
  requireRsa: Type.Boolean(),
  requireIp: Type.Boolean(),
  signAnswers: Type.Boolean(),
  /** Addresses and ranges. */
  ips: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 }),
} as const

const Notifying = {
  /** Whether the merchant is notified when a payment needs more information. */
  notifyReview: Type.Boolean(),
  /** Where chargebacks are notified if the order names no address; '' for nowhere. */
  chargebackUrl: Type.String({ maxLength: 512 }),
} as const

/** Of what the person saw: a change of another version is refused. */
const seen = { version: Type.String({ maxLength: 40 }) } as const

export const keysApi = {
  'GET /developers': {
    access: 'developers.read',
    query: Type.Object(ofMerchant),
    reply: Type.Object({
      merNo: Type.Integer(),
      signing: Type.Object({ ...seen, ...Settings }),
      notifying: Type.Object({ ...seen, ...Notifying }),
      /** Newest first: two while one is rotated out. */
      keys: Type.Array(
        Type.Object({
          keyId: Type.String(),
          /** Whether the merchant has signed with it. */
          used: Type.Boolean(),
          retiresAt: Type.Union([Moment, Type.Null()]),
        }),
      ),
      rsaFingerprint: Type.Union([Type.String(), Type.Null()]),
      platform: Type.Object({ pem: Type.String(), fingerprint: Type.String() }),
      websites: Type.Array(Type.Object({ site: Type.String(), isApproved: Type.Boolean() })),
      /** The back office of the other mode, if it is known. */
      otherUrl: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  /** The only time that the key is shown. The one before stays valid until then. */
  'POST /keys/rotate': {
    access: 'keys.edit',
    dangerous: true,
    reply: Type.Object({ key: Type.String(), oldUntil: Moment }),
  },
  /** The RSA key before it ends at once. */
  'PUT /keys/rsa': {
    access: 'keys.edit',
    dangerous: true,
    body: Type.Object({ pem: text(10_000) }),
    reply: Type.Object({ fingerprint: Type.String() }),
  },
  /** The only time that the secret is shown. The one before ends at once. */
  'POST /keys/webhook-secret': {
    access: 'keys.edit',
    dangerous: true,
    reply: Type.Object({ webhookSecret: Type.String() }),
  },
  'PUT /developers/signing': {
    access: 'keys.edit',
    dangerous: true,
    body: Type.Object({ ...seen, ...Settings }),
    reply: Type.Object(seen),
  },
  'PUT /developers/notifications': {
    access: 'notifications.edit',
    query: Type.Object(ofMerchant),
    body: Type.Object({ ...seen, ...Notifying }),
    reply: Type.Object(seen),
  },
  /** It counts once an operator has approved it. */
  'POST /websites': { access: 'websites.edit', body: Type.Object({ site: text(260) }), reply: Nothing },
  'DELETE /websites': { access: 'websites.edit', query: Type.Object({ site: text(260) }), reply: Nothing },
} as const satisfies Routes
