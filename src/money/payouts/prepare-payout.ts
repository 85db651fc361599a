// The checks of a well-formed payout before acceptance, in a fixed order: account and bank, currency, rate, rail, limits. The
// balance is checked last, under its lock.
import type { Clock } from '../base/clock.ts'
import { isCurrency } from '../base/currency.ts'
import { makeId } from '../base/id.ts'
import { localDay } from '../base/local-day.ts'
import { type Money, parseAmount } from '../base/money.ts'
import type { Vault } from '../base/secret.ts'
import { type Banks, checkAccount } from '../channels/payout/check-account.ts'
import type { CardExpiry, PayoutRail } from '../channels/payout/contract.ts'
import type { PayoutNeeds, PayoutRouting } from '../channels/payout/payout-routing.ts'
import { assert, Refusal } from '../errors/catalogue.ts'
import { readBalances } from '../ledger/read-balances.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { ownLimits, PAYOUTS, platformLimits } from '../orders/limit-usage.ts'
import type { Terms } from '../orders/order.ts'
import type { PlatformLimitsCache } from '../orders/platform-limits.ts'
import type { Queryable } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { maskAccount, sealAccount } from './account.ts'
import { feeTermsOf } from './money.ts'
import type { NewPayout } from './new-payout.ts'
import {
  AWAITS_ACCOUNT_MS,
  currencyOf,
  kindsFor,
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

/** A payout whose fields are known to be well formed. */
export type PayoutRequested = {
  readonly kind: PayoutKind
  readonly merOrderNo: string
  readonly currencyCode: string
  readonly sourceAmount: string
  readonly returnUrl: string
  readonly notifyUrl: string
  /** The value of `cardNo`. */
  readonly account: string
  /** Of a card. */
  readonly expiry?: CardExpiry | undefined
  readonly bankCode: string
  /** Identity numbers, encrypted before they are stored. */
  readonly personal: Readonly<Record<string, unknown>>
  readonly details: Readonly<Record<string, unknown>>
}

export type PreparedPayout = {
  readonly payout: NewPayout
  readonly rails: Rails
  readonly card: GivenCard | undefined
}

/** In memory until a rail returns a token; never stored. */
export type GivenCard = { readonly number: string; readonly expiry?: CardExpiry | undefined }

/** In the order to try them. */
export type Rails = readonly [PayoutRail, ...PayoutRail[]]

export async function preparePayout(
  deps: PrepareDeps,
  merchant: Merchant,
  request: PayoutRequested,
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
  const needsApproval = merchant.payoutApproval !== undefined && usdValue > merchant.payoutApproval
  const tradeNo = makeId('T', merchant.merNo, createdAt)
  const state = firstState(request.kind, needsApproval)
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
    askAt: firstLook(state, createdAt, rails),
  }
  const { account: number, expiry } = request
  return { payout, rails, card: request.kind === 'card' ? { number, expiry } : undefined }
}

function needsOf({ kind, expiry, details }: PayoutRequested, money: Money): PayoutNeeds {
  const kinds = kind === 'checkout' ? kindsFor(money.currency) : [kind]
  return { kinds, ...money, hasExpiry: expiry !== undefined, details }
}

/** As for payments: it says when another amount would be taken. */
function refusalOf(routing: PayoutRouting, needs: PayoutNeeds, { routes }: Merchant): Refusal {
  const isOutside =
    !routing.canServe(needs, routes) && routing.canServe({ ...needs, amount: undefined }, routes)
  return new Refusal('10011', isOutside ? 'no channel accepts this amount' : undefined)
}

export function isServed(rails: readonly PayoutRail[]): rails is Rails {
  return rails.length > 0
}

/** A payout has no margin and no settlement day. Its funding and rate are determined at acceptance. */
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
  // The interface's list of banks and its merchants write PER for Peru's currency.
  const currency = kind === 'per_transfer' && currencyCode === 'PER' ? 'PEN' : currencyCode
  if (!isCurrency(currency)) refuse(merchant.currencies.size === 0 ? '10010' : '10019')
  if (!merchant.currencies.has(currency) && !(await hasMoneyIn(db, merchant, currency)))
    refuse(merchant.currencies.size === 0 ? '10010' : '10019')
  if ((currencyOf[kind] ?? currency) !== currency) refuse('10019')
  const amount = parseAmount(sourceAmount, currency)
  assert(amount !== undefined, 'the amount was checked with the fields')
  return { amount, currency }
}

/** A balance can be paid out in its currency even if the currency was closed since. */
async function hasMoneyIn(db: Queryable, { merNo }: Merchant, currency: string): Promise<boolean> {
  const balances = await readBalances(db, merNo)
  return balances.some((one) => one.currency === currency && one.available !== 0n)
}

/** Approval comes last: a card first needs a token, and CheckOut needs its beneficiary's account. */
function firstState(kind: PayoutKind, needsApproval: boolean): keyof typeof WAITING {
  if (kind === 'card') return 'tokenising'
  if (kind === 'checkout') return 'awaiting_account'
  return needsApproval ? 'awaiting_approval' : 'sending'
}

/** The worker does not claim the payout for as long as the calls may take. */
export function leaseMs(...rails: readonly PayoutRail[]): number {
  return rails.reduce((sum, { timeoutMs }) => sum + timeoutMs, CALL_GRACE_MS)
}

/** One rail sends; a card may be offered to several before. */
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
