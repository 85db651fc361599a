// Creates a merchant with a random number, its keys, default options and, if asked for, opening balances.
import { randomInt } from 'node:crypto'
import type { Vault } from '../../platform/base/secret.ts'
import { assert, OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { methodNames, methods } from '../../rails/methods/methods.ts'
import { applyOptions, writeCurrencies, writeFeePlan, writePayoutPlan } from './apply-options.ts'
import { addKey, makeMerchantKey, makeWebhookSecret } from './keys.ts'
import { bookOpeningBalances } from './opening-balances.ts'
import type { MerchantOptions } from './options.ts'
import {
  announceMerchant,
  insertAskedWebsite,
  insertMerchant,
  insertWebsites,
  type MerchantRow,
  updateLogo,
} from './sql.ts'
import { defaultPlan } from './terms.ts'

/** The new merchant, with its secrets in plain text. No later call returns the secrets. */
export type NewMerchant = { readonly merNo: number; readonly key: string; readonly webhookSecret: string }

export type CreateMerchant = {
  readonly options: MerchantOptions
  /** True if an operator must approve the merchant before it may take payments. */
  readonly pending: boolean
  /** A website that the merchant requests. An operator must approve the website separately. */
  readonly askedSite?: string
  /** True if the merchant begins with balances to pay out. The caller must check that the database is a sandbox's. */
  readonly hasOpeningBalances?: boolean
  readonly now: Date
}

export const defaultCurrencies: readonly string[] = [
  ...new Set(
    methodNames().flatMap((name) => {
      const { currencies } = methods[name]
      return currencies === 'any' ? [] : currencies
    }),
  ),
]

export async function createMerchant(tx: Tx, vault: Vault, wanted: CreateMerchant): Promise<NewMerchant> {
  const { options, askedSite, now } = wanted
  const { sites = [], currencies = defaultCurrencies } = options
  if (sites.length === 0 && askedSite === undefined)
    throw new OperatorRefusal('a merchant needs at least one website', 'sites')
  const merNo = await takeNumber(tx, wanted)
  if (options.logo !== undefined) await updateLogo(tx, merNo, options.logo)
  await insertWebsites(tx, merNo, sites, now)
  if (askedSite !== undefined) await insertAskedWebsite(tx, merNo, askedSite)
  await writeCurrencies(tx, merNo, { ...options, currencies })
  await writeFeePlan(tx, merNo, defaultPlan, options)
  await writePayoutPlan(tx, merNo, undefined, options)
  const made = { merNo, key: makeMerchantKey(), webhookSecret: makeWebhookSecret() }
  await addKey(tx, vault, { merNo, kind: 'md5', secret: made.key, now })
  await addKey(tx, vault, { merNo, kind: 'webhook', secret: made.webhookSecret, now })
  if (wanted.hasOpeningBalances) await bookOpeningBalances(tx, merNo, now)
  await announceMerchant(tx, merNo)
  return made
}

const TRIES = 20

async function takeNumber(tx: Tx, { options, pending, now }: CreateMerchant): Promise<number> {
  assert(options.name !== undefined, 'a new merchant has a name')
  const row = applyOptions({ ...defaults, state: pending ? 'pending' : 'active', created_at: now }, options)
  for (let tried = 0; tried < TRIES; tried++) {
    const merNo = randomInt(10_000_000, 100_000_000)
    if (await insertMerchant(tx, { ...row, mer_no: BigInt(merNo) })) return merNo
  }
  throw new Error(`no free merchant number found in ${TRIES} tries`)
}

const defaults: Omit<MerchantRow, 'state' | 'created_at'> = {
  mer_no: 0n,
  name: '',
  timezone: 'UTC',
  methods: null,
  card_brands: null,
  require_rsa: false,
  require_ip: false,
  sign_answers: false,
  notify_review: false,
  amounts_in_notifications: true,
  ips: [],
  limit_single: 100_000_00n,
  limit_daily: 1_000_000_00n,
  limit_monthly: 10_000_000_00n,
  refund_credit: 500_00n,
  approve_refunds: false,
  payout_approval: null,
  chargeback_url: '',
  review_above: null,
  accent: null,
}
