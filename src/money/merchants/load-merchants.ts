// Loads merchants from the database and decrypts their secrets.
import { createPublicKey } from 'node:crypto'
import type { Vault } from '../../platform/base/secret.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { payoutMethodNames } from '../../rails/contract/payout-rail.ts'
import { type Method, methodNames } from '../../rails/methods/methods.ts'
import type { Route } from '../../rails/routing/routing.ts'
import { sealContext } from './keys.ts'
import type { KeyUse, Limits, Merchant, RoutedMethod } from './merchant.ts'
import {
  type KeyKind,
  type KeyRow,
  type RouteRow,
  selectCurrenciesInUse,
  selectMerchants,
  selectSomeKey,
  type WholeMerchantRow,
} from './sql.ts'
import type { FeePlan } from './terms.ts'

/** Loads the merchants with the keys that are valid at `now`. Numbers that do not exist are not in the result. */
export async function loadMerchants(
  db: Queryable,
  vault: Vault,
  merNos: readonly number[],
  now: Date,
): Promise<Map<number, Merchant>> {
  const rows = await selectMerchants(db, merNos, now)
  return new Map(rows.map((row) => [Number(row.mer_no), toMerchant(row, vault)]))
}

export function currenciesInUse(db: Queryable): Promise<string[]> {
  return selectCurrenciesInUse(db)
}

/** True if this master key decrypts the newest stored secret. Undefined if no secret is stored. */
export async function opensSecrets(db: Queryable, vault: Vault): Promise<boolean | undefined> {
  const key = await selectSomeKey(db)
  if (key === undefined) return undefined
  try {
    vault.open(key.sealed, sealContext(Number(key.mer_no), key.kind, key.key_id))
    return true
  } catch {
    return false
  }
}

function toMerchant(row: WholeMerchantRow, vault: Vault): Merchant {
  const merNo = Number(row.mer_no)
  const open = (key: KeyRow) => openSecret(vault, merNo, key)
  const ofKind = (kind: KeyKind) => row.keys.filter((key) => key.kind === kind)
  const [rsa] = ofKind('rsa')
  const [webhook] = ofKind('webhook')
  if (webhook === undefined) throw new Error(`merchant ${merNo} has no webhook secret`)
  return {
    merNo,
    name: row.name,
    state: row.state,
    timezone: row.timezone,
    websites: row.websites,
    askedWebsites: row.asked_websites,
    keys: ofKind('md5').map((key) => ({
      ...toUse(key),
      key: open(key),
      retiresAt: key.retiresAt === null ? undefined : new Date(key.retiresAt),
    })),
    rsaKey: rsa === undefined ? undefined : createPublicKey(open(rsa)),
    rsaUse: rsa === undefined ? undefined : toUse(rsa),
    webhookSecret: open(webhook),
    ips: row.ips,
    requireRsa: row.require_rsa,
    requireIp: row.require_ip,
    signAnswers: row.sign_answers,
    notifyReview: row.notify_review,
    amountsInNotifications: row.amounts_in_notifications,
    currencies: new Map(Object.entries(row.currencies)),
    methods: row.methods === null ? undefined : new Set(row.methods),
    cardBrands: row.card_brands === null ? undefined : new Set(row.card_brands),
    feePlans: toFeePlans(row.fee_plans),
    limits: toLimits(row),
    routes: toRoutes(row.routes),
    refundCredit: row.refund_credit,
    approveRefunds: row.approve_refunds,
    payoutApproval: row.payout_approval ?? undefined,
    reviewAbove: row.review_above ?? undefined,
    chargebackUrl: row.chargeback_url,
    accent: row.accent ?? undefined,
    hasLogo: row.has_logo,
  }
}

function toUse({ keyId, usedAt }: KeyRow): KeyUse {
  return { keyId, usedAt: usedAt === null ? undefined : new Date(usedAt) }
}

function openSecret(vault: Vault, merNo: number, key: KeyRow): string {
  try {
    return vault.open(Buffer.from(key.sealed, 'base64'), sealContext(merNo, key.kind, key.keyId))
  } catch (cause) {
    throw new Error(`the master key does not decrypt the ${key.kind} key of merchant ${merNo}`, { cause })
  }
}

function toFeePlans(plans: Readonly<Record<string, FeePlan>>): ReadonlyMap<Method | '' | 'payout', FeePlan> {
  const found = new Map<Method | '' | 'payout', FeePlan>()
  for (const method of ['' as const, 'payout' as const, ...methodNames()]) {
    const plan = plans[method]
    if (plan !== undefined) found.set(method, plan)
  }
  return found
}

function toRoutes(rows: readonly RouteRow[]): ReadonlyMap<RoutedMethod, readonly Route[]> {
  const all: readonly RoutedMethod[] = [...methodNames(), ...payoutMethodNames]
  const methods = all.filter((method) => rows.some((row) => row.method === method))
  return new Map(methods.map((method) => [method, rows.filter((row) => row.method === method)]))
}

function toLimits(row: WholeMerchantRow): Limits {
  return {
    single: row.limit_single ?? undefined,
    daily: row.limit_daily ?? undefined,
    monthly: row.limit_monthly ?? undefined,
  }
}
