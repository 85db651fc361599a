// Checks a well-formed payout before acceptance, in this order: account and bank, currency, rate, rail, limits.
// Acceptance then checks the balance under a lock.
import type { Actor } from '../../platform/audit-log/entry.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { isCurrency } from '../../platform/base/currency.ts'
import { makeId } from '../../platform/base/id.ts'
import { localDay } from '../../platform/base/local-day.ts'
import { type Money, parseAmount } from '../../platform/base/money.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { assert, Refusal } from '../../platform/errors/catalogue.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { AccountKind, CardExpiry, PayoutRail } from '../../rails/contract/payout-rail.ts'
import type { PayoutNeeds, PayoutRails, PayoutRouting } from '../../rails/routing/payout-routing.ts'
import { type Banks, checkAccount } from '../../rails/toolkit/check-account.ts'
import { readBalances } from '../ledger/read-balances.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { CALL_GRACE_MS } from '../orders/call-lease.ts'
import { ownLimits, PAYOUTS, platformLimits } from '../orders/limit-usage.ts'
import type { Terms } from '../orders/order.ts'
import type { PlatformLimitsCache } from '../orders/platform-limits.ts'
import type { Rates } from '../rates/rates.ts'
import { maskAccount, sealAccount } from './account.ts'
import { feeTermsOf } from './money.ts'
import {
  AWAITS_ACCOUNT_MS,
  currencyOf,
  kindsFor,
  type NewPayout,
  type PayoutKind,
  type PayoutState,
  payoutReference,
  WAITING,
} from './payout.ts'

export type PrepareDeps = {
  readonly db: Queryable
  readonly clock: Clock
  readonly vault: Vault
  readonly rates: Rates
  readonly payoutRouting: PayoutRouting
  readonly platformLimits: PlatformLimitsCache
  readonly reference: Banks
}

export type PayoutRequested = {
  readonly kind: PayoutKind
  readonly merOrderNo: string
  readonly currencyCode: string
  readonly sourceAmount: string
  readonly returnUrl: string
  readonly notifyUrl: string
  /** The field `cardNo` of the request: the number of a card or another account. */
  readonly account: string
  readonly expiry?: CardExpiry | undefined
  readonly bankCode: string
  /** The identity numbers, which are encrypted before they are stored. */
  readonly personal: Readonly<Record<string, unknown>>
  readonly details: Readonly<Record<string, unknown>>
}

export type PreparedPayout = {
  readonly payout: NewPayout
  readonly rails: Rails
  readonly card: GivenCard | undefined
}

/** A card whose number stays in memory until a rail returns a token, and is never stored. */
export type GivenCard = { readonly number: string; readonly expiry?: CardExpiry | undefined }

/** The rails that can take a payout, in the order in which they are tried. */
export type Rails = readonly [PayoutRail, ...PayoutRail[]]

export type AskedBy = {
  /** The person who asked for the payout. Undefined if the merchant's own system asked for it. */
  readonly askedBy?: Actor
  /** The value in US cents above which one of the merchant's own staff must approve the payout. */
  readonly ownApprovalAbove?: bigint | undefined
}

export async function preparePayout(
  deps: PrepareDeps,
  merchant: Merchant,
  request: PayoutRequested,
  by: AskedBy = {},
): Promise<PreparedPayout> {
  checkBeneficiary(deps.reference, request)
  const money = await moneyOf(deps, merchant, request)
  const usdValue = deps.rates.usdValue(money) ?? refuse('10014')
  const needs = needsOf(request, money)
  const rails = deps.payoutRouting.pick(needs, merchant.routes)
  if (!isServed(rails)) throw refusalOf(deps.payoutRouting, needs, merchant)
  const createdAt = deps.clock.now()
  const day = localDay(createdAt, merchant.timezone)
  const own = ownLimits(merchant, PAYOUTS, day, usdValue)
  const platform = platformLimits(await deps.platformLimits.of(PAYOUTS), PAYOUTS, day)
  const isAbove = (limit: bigint | undefined) => limit !== undefined && usdValue > limit
  const needsApproval = isAbove(merchant.payoutApproval)
  const needsMerchantApproval = isAbove(by.ownApprovalAbove)
  const tradeNo = makeId('T', merchant.merNo, createdAt)
  const state = firstState(request.kind, needsApproval || needsMerchantApproval)
  const payout: NewPayout = {
    merNo: merchant.merNo,
    tradeNo,
    merOrderNo: request.merOrderNo,
    createdAt,
    usdValue,
    limits: [...own, ...platform],
    method: `payout_${request.kind}`,
    money,
    returnUrl: request.returnUrl,
    notifyUrl: request.notifyUrl,
    message: WAITING[state],
    localDay: day,
    timezone: merchant.timezone,
    protestNotifyUrl: '',
    terms: termsOf(merchant, money.currency),
    maxAttempts: 1,
    needsReview: false,
    kind: request.kind,
    state,
    rail: rails[0].name,
    reference: payoutReference(tradeNo),
    ...accountOf(deps.vault, tradeNo, request),
    needsApproval,
    askedBy: by.askedBy,
    needsMerchantApproval,
    askAt: firstLook(state, createdAt, rails),
  }
  const { account: number, expiry } = request
  return { payout, rails, card: request.kind === 'card' ? { number, expiry } : undefined }
}

function needsOf({ kind, expiry, details }: PayoutRequested, money: Money): PayoutNeeds {
  const kinds = kind === 'checkout' ? kindsFor(money.currency) : [kind]
  return { kinds, ...money, hasExpiry: expiry !== undefined, details }
}

/** Returns the rails that may send an accepted payout now. A card's token can be used only by the rail that made it. */
export function railsOfAccepted(
  { payoutRouting, rails }: RailDeps,
  { kind, money, rail, details }: AcceptedNeeds,
  routes: Merchant['routes'] | undefined,
): readonly PayoutRail[] {
  if (kind === 'card') {
    const own = rails.named(rail)
    return own === undefined || payoutRouting.isPaused(rail) ? [] : [own]
  }
  const needs = { kinds: [kind], ...money, hasExpiry: false, details }
  const picked = payoutRouting.pick(needs, routes)
  if (picked.length > 0) return picked
  // If no rail takes the amount any more, the rail that was chosen at acceptance is used, even if the amount is outside
  // its present limits.
  return payoutRouting.pick({ ...needs, amount: undefined, only: rail }, routes)
}

export type RailDeps = { readonly payoutRouting: PayoutRouting; readonly rails: PayoutRails }

export type AcceptedNeeds = {
  readonly kind: AccountKind
  readonly money: Money
  readonly rail: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Returns the refusal of a payout that no rail can take. The message says if a rail would take another amount. */
function refusalOf(routing: PayoutRouting, needs: PayoutNeeds, { routes }: Merchant): Refusal {
  const isOutside =
    !routing.canServe(needs, routes) && routing.canServe({ ...needs, amount: undefined }, routes)
  return new Refusal('10011', isOutside ? 'no channel accepts this amount' : undefined)
}

export function isServed(rails: readonly PayoutRail[]): rails is Rails {
  return rails.length > 0
}

/** Returns the terms, without margin and settlement day. Acceptance determines the funding and the rate. */
function termsOf(merchant: Merchant, currency: string): Terms {
  return {
    ...feeTermsOf(merchant.feePlans.get('payout'), currency),
    marginBps: 0,
    marginDays: 0,
    settleDays: 0,
    settleCurrency: merchant.currencies.get(currency) ?? currency,
    settleRate: undefined,
  }
}

function refuse(code: ConstructorParameters<typeof Refusal>[0], detail?: string): never {
  throw new Refusal(code, detail)
}

function checkBeneficiary(banks: Banks, { kind, account, bankCode }: PayoutRequested): void {
  if (kind === 'checkout') {
    if (account !== '') refuse('99997', 'cardNo must be empty: the beneficiary enters the account')
    return
  }
  const refusal = checkAccount(banks, { kind, account, bankCode })
  if (refusal !== undefined) throw refusal
}

async function moneyOf(
  { db }: PrepareDeps,
  merchant: Merchant,
  { kind, currencyCode, sourceAmount }: PayoutRequested,
): Promise<Money> {
  // The interface's list of banks and some merchants write PER for Peru's currency.
  const currency = kind === 'per_transfer' && currencyCode === 'PER' ? 'PEN' : currencyCode
  const isOpen =
    isCurrency(currency) && (merchant.currencies.has(currency) || (await hasMoneyIn(db, merchant, currency)))
  if (!isOpen) refuse(merchant.currencies.size === 0 ? '10010' : '10019')
  if ((currencyOf[kind] ?? currency) !== currency) refuse('10019')
  const amount = parseAmount(sourceAmount, currency)
  assert(amount !== undefined, 'the amount was checked with the fields')
  return { amount, currency }
}

/**
 * True if the merchant's available balance in the currency is not zero. The balance can be paid out even if the
 * currency is no longer open for the merchant.
 */
async function hasMoneyIn(db: Queryable, { merNo }: Merchant, currency: string): Promise<boolean> {
  const balances = await readBalances(db, merNo)
  return balances.some((one) => one.currency === currency && one.available !== 0n)
}

/** Returns the first state. Approval comes last: a card first needs a token, and CheckOut needs an account. */
function firstState(kind: PayoutKind, needsApproval: boolean): keyof typeof WAITING {
  if (kind === 'card') return 'tokenising'
  if (kind === 'checkout') return 'awaiting_account'
  return needsApproval ? 'awaiting_approval' : 'sending'
}

/** Returns the length of a payout's lease, which covers one call to each of the given rails. */
export function leaseMs(...rails: readonly PayoutRail[]): number {
  return rails.reduce((sum, { timeoutMs }) => sum + timeoutMs, CALL_GRACE_MS)
}

/**
 * Returns the time from which the worker may claim a new payout. Undefined while the payout waits for approval. For a
 * card, the lease covers calls to all rails, because each rail may be asked for a token.
 */
function firstLook(state: PayoutState, createdAt: Date, rails: Rails): Date | undefined {
  if (state === 'awaiting_approval') return undefined
  const lease = state === 'tokenising' ? leaseMs(...rails) : leaseMs(rails[0])
  return new Date(createdAt.getTime() + (state === 'awaiting_account' ? AWAITS_ACCOUNT_MS : lease))
}

function accountOf(vault: Vault, tradeNo: string, request: PayoutRequested) {
  const { kind, account, personal, details: beneficiary } = request
  if (kind === 'checkout') return { beneficiary, account: undefined, accountMasked: '' }
  const accountMasked = maskAccount(kind, account)
  if (kind === 'card') return { beneficiary, account: undefined, accountMasked }
  const sealed = sealAccount(vault, tradeNo, { kind, account, personal, details: beneficiary })
  return { beneficiary, account: sealed, accountMasked }
}
