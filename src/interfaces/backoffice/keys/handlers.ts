import { createPublicKey } from 'node:crypto'
import {
  askForWebsite,
  ROTATION_HOURS,
  removeWebsite,
  rotateKey,
  rotateWebhookSecret,
  setOptions,
  setRsaKey,
} from '../../../money/merchants/change-merchant.ts'
import { lookAtMerchant } from '../../../money/merchants/describe-merchant.ts'
import { fingerprintOf, readRsaPublicKey } from '../../../money/merchants/keys.ts'
import { loadMerchants } from '../../../money/merchants/load-merchants.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { type OptionTexts, readOptions } from '../../../money/merchants/options.ts'
import { readSite } from '../../../money/merchants/site.ts'
import { actorOf, type Caller, merchantOf } from '../../../people/roles/caller.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { aboutField } from '../../../platform/errors/catalogue.ts'
import { atField, Problem } from '../../../platform/errors/problem.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import { edit, versionOf } from '../edit.ts'
import type { Handlers } from '../route.ts'
import type { keysApi } from './api.ts'

export type KeysDeps = {
  readonly db: Db
  readonly vault: Vault
  readonly clock: Clock
  readonly platformPem: string
  readonly otherUrl: string | undefined
  /** Updates the secrets in demo.json, which the programs of the sandbox read, if the merchant is the demo merchant. */
  secretChanged(
    merNo: number,
    secret: { readonly key?: string; readonly webhookSecret?: string },
  ): Promise<unknown>
}

export function createKeysHandlers(deps: KeysDeps): Handlers<typeof keysApi> {
  const { db, vault, clock, platformPem } = deps
  const platform = { pem: platformPem, fingerprint: fingerprintOf(createPublicKey(platformPem)) }

  async function load(from: Queryable, merNo: number): Promise<Merchant> {
    const merchant = (await loadMerchants(from, vault, [merNo], clock.now())).get(merNo)
    if (merchant === undefined) throw new Problem('not-found', 'There is no such merchant.')
    return merchant
  }

  function line(caller: Caller, action: string) {
    const { merNo } = caller
    return { merNo, at: clock.now(), actor: actorOf(caller), action, subject: String(merNo) }
  }

  function auditedFor(caller: Caller, action: string, after: Record<string, unknown> = {}): Db {
    return audited(db, { ...line(caller, action), after })
  }

  async function change(caller: Caller, wanted: Wanted, texts: OptionTexts) {
    const { merNo, seen, part, action } = wanted
    const options = readOptions(texts)
    const { version } = await edit(
      db,
      {
        look: async (tx) => part(await lookAtMerchant(tx, vault, merNo, clock.now())),
        seen,
        line: { ...line(caller, action), merNo, subject: String(merNo) },
      },
      (to) => setOptions(to, merNo, options, clock.now()),
    )
    return { version }
  }

  return {
    async 'GET /developers'({ caller, query }) {
      const merchant = await load(db, merchantOf(caller, query.merNo))
      const { rsaKey } = merchant
      return {
        merNo: merchant.merNo,
        signing: withVersion(signingOf(merchant)),
        notifying: withVersion(notifyingOf(merchant)),
        keys: merchant.keys.map(({ keyId, usedAt, retiresAt }) => {
          return { keyId, usedAt: toText(usedAt), retiresAt: toText(retiresAt) }
        }),
        rsaFingerprint: rsaKey === undefined ? null : fingerprintOf(rsaKey),
        rsaUsedAt: toText(merchant.rsaUse?.usedAt),
        platform,
        websites: websitesOf(merchant),
        otherUrl: deps.otherUrl ?? null,
      }
    },

    async 'POST /keys/rotate'({ caller, body: { endsOldKey } }) {
      const merNo = merchantOf(caller, undefined)
      const now = clock.now()
      const key = await rotateKey(auditedFor(caller, 'key.rotate', { endsOldKey }), vault, {
        merNo,
        now,
        endsOldKey,
      })
      await deps.secretChanged(merNo, { key })
      return { key, oldUntil: new Date(now.getTime() + ROTATION_HOURS * 3_600_000).toISOString() }
    },

    async 'PUT /keys/rsa'({ caller, body: { pem } }) {
      const merNo = merchantOf(caller, undefined)
      const fingerprint = fingerprintOf(aboutField('pem', () => readRsaPublicKey(pem)))
      const to = auditedFor(caller, 'key.rsa', { fingerprint })
      await setRsaKey(to, vault, { merNo, pem, now: clock.now() })
      return { fingerprint }
    },

    async 'POST /keys/webhook-secret'({ caller }) {
      const merNo = merchantOf(caller, undefined)
      const to = auditedFor(caller, 'key.webhook-secret')
      const webhookSecret = await rotateWebhookSecret(to, vault, merNo, clock.now())
      await deps.secretChanged(merNo, { webhookSecret })
      return { webhookSecret }
    },

    async 'PUT /developers/signing'({ caller, body }) {
      const merNo = merchantOf(caller, undefined)
      const { version, ips, requireRsa, requireIp, signAnswers } = body
      if (requireRsa && (await load(db, merNo)).rsaKey === undefined)
        throw atField('requireRsa', 'Register your RSA key first: without it every request is refused.')
      if (requireIp && ips.length === 0)
        throw atField('requireIp', 'List your addresses first: without them every request is refused.')
      const texts = { requireRsa: toSwitch(requireRsa), requireIp: toSwitch(requireIp) }
      const given = { ...texts, signAnswers: toSwitch(signAnswers), ips }
      aboutField('ips', () => readOptions({ ips }))
      const wanted = { merNo, seen: version, part: signingOf, action: 'merchant.signing' }
      return await change(caller, wanted, given)
    },

    async 'PUT /developers/notifications'({ caller, query, body }) {
      const merNo = merchantOf(caller, query.merNo)
      const { version, notifyReview, amountsInNotifications, chargebackUrl } = body
      aboutField('chargebackUrl', () => readOptions({ chargebackUrl }))
      const texts = {
        notifyReview: toSwitch(notifyReview),
        amountsInNotifications: toSwitch(amountsInNotifications),
        chargebackUrl,
      }
      const wanted = { merNo, seen: version, part: notifyingOf, action: 'merchant.notifications' }
      return await change(caller, wanted, texts)
    },

    async 'POST /websites'({ caller, body }) {
      const merNo = merchantOf(caller, undefined)
      const site = readWebsite(body.site)
      await askForWebsite(auditedFor(caller, 'website.ask', { site }), merNo, site)
      return {}
    },

    async 'DELETE /websites'({ caller, query: { site } }) {
      const merNo = merchantOf(caller, undefined)
      await removeWebsite(audited(db, { ...line(caller, 'website.remove'), before: { site } }), merNo, site)
      return {}
    },
  }
}

type Editable = Pick<
  Merchant,
  | 'requireRsa'
  | 'requireIp'
  | 'signAnswers'
  | 'ips'
  | 'notifyReview'
  | 'amountsInNotifications'
  | 'chargebackUrl'
>

type Wanted = {
  readonly merNo: number
  readonly seen: string
  /**
   * Selects the settings that the call changes. Each part of the settings has its own version, so a change of another
   * part is no conflict.
   */
  readonly part: (merchant: Editable) => Readonly<Record<string, unknown>>
  readonly action: string
}

function signingOf({ requireRsa, requireIp, signAnswers, ips }: Editable) {
  return { requireRsa, requireIp, signAnswers, ips: [...ips] }
}

function notifyingOf({ notifyReview, amountsInNotifications, chargebackUrl }: Editable) {
  return { notifyReview, amountsInNotifications, chargebackUrl }
}

function withVersion<Part extends Readonly<Record<string, unknown>>>(part: Part) {
  return { ...part, version: versionOf(part) }
}

function websitesOf({ websites, askedWebsites }: Merchant) {
  return [
    ...websites.map((site) => ({ site, isApproved: true })),
    ...askedWebsites.map((site) => ({ site, isApproved: false })),
  ]
}

function toSwitch(isOn: boolean): 'on' | 'off' {
  return isOn ? 'on' : 'off'
}

/** Reads a website. A whole address is accepted, because people often paste one. */
function readWebsite(text: string): string {
  const host = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/, '')
  const site = readSite(host)
  if (site === undefined)
    throw atField('site', 'Enter a host such as shop.example, shop.example:8443 or *.shop.example.')
  return site
}

function toText(at: Date | undefined): string | null {
  return at?.toISOString() ?? null
}
