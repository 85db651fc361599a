// Changes one merchant. Each change first locks the merchant's row, so concurrent changes run one after the other. The
// transaction of a change announces the change, so that every node drops the merchant from its cache.

import type { Vault } from '../../platform/base/secret.ts'
import { assert, OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { enqueueAlert } from '../../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../../platform/mail/mail.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Method } from '../../rails/methods/methods.ts'
import type { Route } from '../../rails/routing/routing.ts'
import { applyOptions, applyTerms, writeCurrencies, writeFeePlan, writePayoutPlan } from './apply-options.ts'
import { addKey, makeMerchantKey, makeWebhookSecret, readRsaPublicKey } from './keys.ts'
import type { MerchantState, RoutedMethod } from './merchant.ts'
import type { MerchantOptions, TermOptions } from './options.ts'
import { unlinkPlan } from './plan-sql.ts'
import {
  announceMerchant,
  approveAskedWebsite,
  deleteFeePlan,
  deleteOtherWebsites,
  deleteRoute,
  deleteWebsite,
  insertAskedWebsite,
  insertWebsites,
  lockMerchant,
  type MerchantRow,
  retireKeys,
  selectFeePlan,
  selectOldKeyEnd,
  updateLogo,
  updateMerchant,
  upsertFeePlan,
  upsertRoute,
} from './sql.ts'
import { type FeePlan, termNames } from './terms.ts'

export type Transition = 'approve' | 'suspend' | 'close'

/** The changes of a merchant's state. Approving reactivates a suspended merchant. Closing is final. */
export const transitions: Readonly<
  Record<Transition, { readonly from: readonly MerchantState[]; readonly to: MerchantState }>
> = {
  approve: { from: ['pending', 'suspended'], to: 'active' },
  suspend: { from: ['active'], to: 'suspended' },
  close: { from: ['pending', 'active', 'suspended'], to: 'closed' },
}

export const ROTATION_HOURS = 24

/** Changes the merchant's state. The approval of a pending merchant mails an alert to the merchant's staff. */
export async function changeState(
  db: Db,
  merNo: number,
  transition: Transition,
  now = new Date(),
): Promise<MerchantState> {
  const { from, to } = transitions[transition]
  return change(db, merNo, async (tx, row) => {
    if (!from.includes(row.state)) {
      const allowed = from.join(' or ')
      throw new OperatorRefusal(
        `merchant ${merNo} is ${row.state}: you can ${transition} only a merchant that is ${allowed}`,
      )
    }
    await updateMerchant(tx, { ...row, state: to })
    if (row.state === 'pending' && to === 'active')
      await enqueueAlert(tx, { merNo, kind: 'approved', values: { company: row.name }, now })
    return to
  })
}

export async function setOptions(db: Db, merNo: number, options: MerchantOptions, now: Date): Promise<void> {
  await change(db, merNo, async (tx, row) => {
    const changed = applyOptions(row, options)
    await updateMerchant(tx, changed)
    for (const what of signingChanges(row, changed)) await alertKeyChanged(tx, merNo, what, now)
    if (options.logo !== undefined) await updateLogo(tx, merNo, options.logo)
    if (options.sites !== undefined) await replaceWebsites(tx, merNo, options.sites, now)
    if (options.currencies !== undefined || options.settleCurrency !== undefined) {
      await writeCurrencies(tx, merNo, options)
    }
    if (changesTerms(options)) await unlinkPlan(tx, merNo)
    await writeFeePlan(tx, merNo, await defaultPlan(tx, merNo), options)
    await writePayoutPlan(tx, merNo, await selectFeePlan(tx, merNo, 'payout'), options)
  })
}

function signingChanges(before: MerchantRow, after: MerchantRow): SigningRule[] {
  return [
    ...(isSameSet(before.ips, after.ips) ? [] : (['ips'] as const)),
    ...(before.require_ip === after.require_ip ? [] : (['require-ip'] as const)),
    ...(before.require_rsa === after.require_rsa ? [] : (['require-rsa'] as const)),
  ]
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).symmetricDifference(new Set(other)).size === 0
}

/** True if the options change terms. A merchant whose terms are edited directly no longer follows a named plan. */
function changesTerms(options: MerchantOptions): boolean {
  return [...termNames, 'payoutFeeBps' as const, 'payoutFeeFixed' as const].some(
    (name) => options[name] !== undefined,
  )
}

async function defaultPlan(tx: Tx, merNo: number): Promise<FeePlan> {
  const plan = await selectFeePlan(tx, merNo, '')
  assert(plan !== undefined, 'every merchant has a plan for all methods')
  return plan
}

/**
 * Changes or creates the plan for one method. A new plan takes each missing value from the plan for all methods. Later
 * changes of the plan for all methods do not affect the method's own plan. Accepted orders keep their terms.
 */
export async function setMethodPlan(
  db: Db,
  merNo: number,
  method: Method,
  options: TermOptions,
): Promise<void> {
  await change(db, merNo, async (tx) => {
    const before = (await selectFeePlan(tx, merNo, method)) ?? (await defaultPlan(tx, merNo))
    await unlinkPlan(tx, merNo)
    await upsertFeePlan(tx, merNo, method, applyTerms(before, options))
  })
}

export async function removeMethodPlan(db: Db, merNo: number, method: Method): Promise<void> {
  await change(db, merNo, async (tx) => {
    const removed = await deleteFeePlan(tx, merNo, method)
    if (!removed) throw new OperatorRefusal(`merchant ${merNo} has no separate plan for ${method}`)
    await unlinkPlan(tx, merNo)
  })
}

/** Adds or changes a route. A method that has at least one route uses only its routes. */
export async function setRoute(db: Db, merNo: number, method: RoutedMethod, route: Route): Promise<void> {
  await change(db, merNo, (tx) => upsertRoute(tx, merNo, { method, ...route }))
}

/** Removes a route. A method without routes uses all configured channels. */
export async function removeRoute(
  db: Db,
  merNo: number,
  method: RoutedMethod,
  channel: string,
): Promise<void> {
  await change(db, merNo, async (tx) => {
    if (await deleteRoute(tx, merNo, { method, channel })) return
    throw new OperatorRefusal(`merchant ${merNo} has no route for ${method} to ${channel}`)
  })
}

async function replaceWebsites(tx: Tx, merNo: number, sites: readonly string[], now: Date): Promise<void> {
  await deleteOtherWebsites(tx, merNo, sites)
  await insertWebsites(tx, merNo, sites, now)
}

/** Adds a website that the merchant requests. The website is accepted only after an operator has approved it. */
export async function askForWebsite(db: Db, merNo: number, site: string): Promise<void> {
  await change(db, merNo, (tx) => insertAskedWebsite(tx, merNo, site))
}

export async function approveWebsite(db: Db, merNo: number, site: string, now: Date): Promise<void> {
  await change(db, merNo, async (tx) => {
    if (await approveAskedWebsite(tx, merNo, site, now)) return
    throw new OperatorRefusal(`merchant ${merNo} has not requested the website ${site}`)
  })
}

export async function removeWebsite(db: Db, merNo: number, site: string): Promise<void> {
  await change(db, merNo, async (tx) => {
    if (await deleteWebsite(tx, merNo, site)) return
    throw new OperatorRefusal(`merchant ${merNo} has no website ${site}`)
  })
}

/** Sets the merchant's only RSA key. The previous key becomes invalid immediately. */
export async function setRsaKey(
  db: Db,
  vault: Vault,
  { merNo, pem, now }: { merNo: number; pem: string; now: Date },
): Promise<void> {
  const secret = readRsaPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()
  await change(db, merNo, async (tx) => {
    await retireKeys(tx, merNo, 'rsa', { now, until: now })
    await addKey(tx, vault, { merNo, kind: 'rsa', secret, now })
    await alertKeyChanged(tx, merNo, 'RSA key', now)
  })
}

export type Rotation = {
  readonly merNo: number
  readonly now: Date
  /** True to end an old key that is still valid. If false, the rotation is refused while there is such a key. */
  readonly endsOldKey: boolean
}

/**
 * Rotates the merchant key and returns the new key. The current key stays valid for `ROTATION_HOURS`. At most two keys
 * are valid at a time.
 */
export async function rotateKey(db: Db, vault: Vault, { merNo, now, endsOldKey }: Rotation): Promise<string> {
  const secret = makeMerchantKey()
  const until = new Date(now.getTime() + ROTATION_HOURS * 3_600_000)
  await change(db, merNo, async (tx) => {
    const oldUntil = await selectOldKeyEnd(tx, merNo, now)
    if (oldUntil !== undefined && !endsOldKey)
      throw new OperatorRefusal(
        `the old key of the last rotation is valid until ${mailMoment(oldUntil)}: wait until then, or end that key now`,
      )
    await retireKeys(tx, merNo, 'md5', { now, until })
    await addKey(tx, vault, { merNo, kind: 'md5', secret, now })
    await alertKeyChanged(tx, merNo, 'merchant key', now)
  })
  return secret
}

/**
 * Rotates the webhook secret and returns the new one. The previous secret becomes invalid immediately, because a
 * notification has only one signature.
 */
export async function rotateWebhookSecret(db: Db, vault: Vault, merNo: number, now: Date): Promise<string> {
  const secret = makeWebhookSecret()
  await change(db, merNo, async (tx) => {
    await retireKeys(tx, merNo, 'webhook', { now, until: now })
    await addKey(tx, vault, { merNo, kind: 'webhook', secret, now })
    await alertKeyChanged(tx, merNo, 'webhook secret', now)
  })
  return secret
}

type Key = 'merchant key' | 'RSA key' | 'webhook secret'
type SigningRule = 'ips' | 'require-ip' | 'require-rsa'

/** Mails the merchant's staff that a key or a signing rule has changed, because an intruder may have changed it. */
function alertKeyChanged(tx: Tx, merNo: number, what: Key | SigningRule, now: Date): Promise<void> {
  return enqueueAlert(tx, { merNo, kind: 'key-changed', values: { what, at: mailMoment(now) }, now })
}

function change<Result>(
  db: Db,
  merNo: number,
  work: (tx: Tx, row: MerchantRow) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const row = await lockMerchant(tx, merNo)
    if (row === undefined) throw new OperatorRefusal(`there is no merchant ${merNo}`)
    const result = await work(tx, row)
    await announceMerchant(tx, merNo)
    return result
  })
}
