// Keys, websites and the settings of the merchant interface.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, ofMerchant, orNull, text } from '../schemas.ts'

const Settings = {
  requireRsa: Type.Boolean(),
  requireIp: Type.Boolean(),
  signAnswers: Type.Boolean(),
  /** The allowed IP addresses and ranges. */
  ips: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 }),
} as const

const Notifying = {
  notifyReview: Type.Boolean(),
  /** True if notifications of payments and payouts contain the currency and amount of the order. */
  amountsInNotifications: Type.Boolean(),
  /** The URL for notifications of chargebacks of orders that name no URL. Empty if there is no such URL. */
  chargebackUrl: Type.String({ maxLength: 512 }),
} as const

/** The version of the settings that the person saw. A change is refused if the settings have changed since then. */
const seen = { version: Type.String({ maxLength: 40 }) } as const

export const keysApi = {
  'GET /developers': {
    access: 'developers.read',
    query: Type.Object(ofMerchant),
    reply: Type.Object({
      merNo: Type.Integer(),
      signing: Type.Object({ ...seen, ...Settings }),
      notifying: Type.Object({ ...seen, ...Notifying }),
      /** The merchant keys, newest first. During a rotation, the list has two keys. */
      keys: Type.Array(
        Type.Object({
          keyId: Type.String(),
          /** The last recorded use. A use is recorded at most once an hour. Null if the key was never used. */
          usedAt: orNull(Moment),
          retiresAt: orNull(Moment),
        }),
      ),
      rsaFingerprint: orNull(Type.String()),
      rsaUsedAt: orNull(Moment),
      platform: Type.Object({ pem: Type.String(), fingerprint: Type.String() }),
      websites: Type.Array(Type.Object({ site: Type.String(), isApproved: Type.Boolean() })),
      /** The base URL of this operator's gateway in the other mode (sandbox or live). Null if no URL is configured. */
      otherUrl: orNull(Type.String()),
    }),
  },
  /**
   * Makes a new key, which only this reply shows. The former key stays valid until `oldUntil`. While a former key is
   * still valid, the call is accepted only if `endsOldKey` is true.
   */
  'POST /keys/rotate': {
    access: 'keys.secret',
    dangerous: true,
    body: Type.Object({ endsOldKey: Type.Boolean() }),
    reply: Type.Object({ key: Type.String(), oldUntil: Moment }),
  },
  /** Registers an RSA key. The former RSA key becomes invalid at once. */
  'PUT /keys/rsa': {
    access: 'keys.secret',
    dangerous: true,
    body: Type.Object({ pem: text(10_000) }),
    reply: Type.Object({ fingerprint: Type.String() }),
  },
  /** Makes a new secret, which only this reply shows. The former secret becomes invalid at once. */
  'POST /keys/webhook-secret': {
    access: 'keys.edit',
    dangerous: true,
    reply: Type.Object({ webhookSecret: Type.String() }),
  },
  'PUT /developers/signing': {
    access: 'keys.secret',
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
  /** Adds a website. The website becomes valid when an operator approves it. */
  'POST /websites': { access: 'websites.edit', body: Type.Object({ site: text(260) }), reply: Nothing },
  'DELETE /websites': { access: 'websites.edit', query: Type.Object({ site: text(260) }), reply: Nothing },
} as const satisfies Routes
