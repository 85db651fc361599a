// Checks a well-formed request, in this order: currency, rate, method, channel, card brand, bank, the merchant's limit
// per payment. The first failed check refuses the payment, and nothing is stored. Daily and monthly limits are checked
// at acceptance.

import type { BinTable } from '../../platform/base/bin-table.ts'
import { type MaskedCard, maskCard } from '../../platform/base/card-number.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { isCurrency } from '../../platform/base/currency.ts'
import { makeId } from '../../platform/base/id.ts'
import { localDay } from '../../platform/base/local-day.ts'
import { memoize } from '../../platform/base/memoize.ts'
import { decimalHalfUp, type Money, parseAmount, parseDecimal } from '../../platform/base/money.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { assert, Refusal } from '../../platform/errors/catalogue.ts'
import type { Reference } from '../../platform/reference/reference.ts'
import type { CardDetails, Channel } from '../../rails/contract/channel.ts'
import { type Method, methods } from '../../rails/methods/methods.ts'
import { DESKTOP, type Terminals, terminalsOfOrder } from '../../rails/methods/terminal.ts'
import { type Fields, knowsBank } from '../../rails/methods/traits.ts'
import { knowsPayer } from '../../rails/routing/known-payer.ts'
import { type Channels, canServe, type Needs, type Routing, refusalOf } from '../../rails/routing/routing.ts'
import { feePlanOf, type Merchant } from '../merchants/merchant.ts'
import { CALL_GRACE_MS } from '../orders/call-lease.ts'
import { ownLimits, PAY_INS, platformLimits } from '../orders/limit-usage.ts'
import { CHECKOUT, type NewPayment, sealPersonal } from '../orders/new-order.ts'
import type { Terms } from '../orders/order.ts'
import type { PlatformLimits, PlatformLimitsCache } from '../orders/platform-limits.ts'
import { fitsBooks, type Rates } from '../rates/rates.ts'
import type { Risk } from '../risk/risk.ts'

export type PrepareDeps = {
  readonly clock: Clock
  readonly vault: Vault
  readonly rates: Rates
  readonly channels: Channels
  readonly routing: Routing
  readonly platformLimits: PlatformLimitsCache
  readonly risk: Risk
  readonly reference: Pick<Reference, 'has'>
  /** The table of the brands and countries of cards. */
  readonly bins: BinTable
}

export type PaymentOrder = {
  readonly merOrderNo: string
  readonly currencyCode: string
  readonly sourceAmount: string
  readonly returnUrl: string
  readonly notifyUrl: string
  readonly protestNotifyUrl: string
  readonly card: CardDetails | undefined
  readonly walletToken?: string | undefined
  /** The payer's personal numbers, which are encrypted before they are stored. */
  readonly personal: Fields
  /** All other fields of the request. */
  readonly details: Fields
  /** The MAC of the request, by which a repeated request is recognised. Undefined for an order by a payment link. */
  readonly requestMac?: string | undefined
}

export type Prepared = {
  readonly payment: NewPayment
  /** The channels, in the order in which they are tried. The first attempt uses the first channel. */
  readonly channels: readonly Channel[]
  /** The payer's terminals, the best one first. Each channel uses the first terminal that it serves. */
  readonly terminals: Terminals
  /**
   * The card, wallet token and personal numbers in plain text, in memory for the channel's call only. The stored
   * `payment` has a masked card, encrypted personal numbers and no wallet token.
   */
  readonly secrets: Pick<PaymentOrder, 'card' | 'walletToken' | 'personal'>
  /** The name by which the payer knows the shop. */
  readonly merchantName: string
}

/** Prepares an order that goes directly to its channel. */
export async function preparePayment(
  deps: PrepareDeps,
  merchant: Merchant,
  method: Method,
  order: PaymentOrder,
): Promise<Prepared> {
  const priced = price(deps, merchant, method, order)
  const terminals = terminalsFor(method, order.details)
  const { channels, card } = chooseMethod(deps, merchant, method, order, { ...priced.money, terminals })
  const [first] = channels
  const { merNo } = merchant
  const { usdValue } = priced
  const checking = deps.risk.concerns(merNo)
    ? deps.risk.check({ merNo, method, usdValue, card, details: order.details })
    : undefined
  const verdict = checking instanceof Promise ? await checking : checking
  const ofPlatform = await deps.platformLimits.of(priced.method)
  const createdAt = deps.clock.now()
  const attempt = { channel: first.name, card, askAt: callIsLostAt(createdAt, first) }
  const payment = newPayment(deps, merchant, order, priced, { ofPlatform, createdAt, attempt, verdict })
  return { payment, channels, terminals, secrets: order, merchantName: merchant.name }
}

/** Returns the time from which the resolver counts a call as lost. */
export function callIsLostAt(begun: Date, { traits }: Channel): Date {
  return new Date(begun.getTime() + traits.timeoutMs + CALL_GRACE_MS)
}

type Priced = Pick<NewPayment, 'money' | 'usdValue' | 'terms'> & { readonly method: Method | typeof CHECKOUT }

/** Checks the currency and the rates. Returns the amount, its value in US cents, and the terms. */
export function price(
  { rates }: PrepareDeps,
  merchant: Merchant,
  method: Priced['method'],
  order: PaymentOrder,
): Priced {
  const money = moneyOf(merchant, method, order)
  const usdValue = rates.usdValue(money)
  if (usdValue === undefined) throw new Refusal('10014')
  return { method, money, usdValue, terms: termsOf(rates, merchant, method, money) }
}

function moneyOf(merchant: Merchant, method: Priced['method'], order: PaymentOrder): Money {
  const { currencyCode, sourceAmount } = order
  const aliases = method === CHECKOUT ? undefined : methods[method].currencyAliases
  const currency = aliases?.[currencyCode] ?? currencyCode
  if (merchant.currencies.size === 0) throw new Refusal('10010')
  if (!isCurrency(currency) || !merchant.currencies.has(currency)) throw new Refusal('10019')
  if (method !== CHECKOUT && !takesCurrency(method, currency)) throw new Refusal('10019')
  const amount = parseAmount(sourceAmount, currency)
  assert(amount !== undefined, 'the amount was checked with the fields')
  return { amount, currency }
}

type Beginning = Pick<NewPayment, 'createdAt' | 'attempt' | 'verdict'> & {
  readonly ofPlatform: PlatformLimits | undefined
}

/**
 * Makes the new order with the limits that it counts against. Throws a refusal if a limit of the merchant is not set,
 * or if the order exceeds the merchant's limit per payment.
 */
export function newPayment(
  deps: PrepareDeps,
  merchant: Merchant,
  order: PaymentOrder,
  { method, money, usdValue, terms }: Priced,
  { ofPlatform, createdAt, attempt, verdict }: Beginning,
): NewPayment {
  const { merNo, timezone } = merchant
  const day = localDay(createdAt, timezone)
  const tradeNo = makeId('T', merNo, createdAt)
  const own = ownLimits(merchant, PAY_INS, day, usdValue)
  return {
    merNo,
    tradeNo,
    merOrderNo: order.merOrderNo,
    method,
    money,
    returnUrl: order.returnUrl,
    notifyUrl: order.notifyUrl,
    protestNotifyUrl: order.protestNotifyUrl,
    details: order.details,
    requestMac: order.requestMac,
    sealed: sealPersonal(deps.vault, tradeNo, order.personal),
    usdValue,
    localDay: day,
    timezone,
    createdAt,
    terms,
    limits: ofPlatform === undefined ? own : [...own, ...platformLimits(ofPlatform, method, day)],
    maxAttempts: 1,
    needsReview: verdict?.reviews === true || (method !== CHECKOUT && needsReview(merchant, method, money)),
    attempt,
    verdict,
  }
}

type ChooseDeps = Pick<PrepareDeps, 'bins' | 'vault' | 'routing' | 'reference'>

export type Chosen = {
  /** The channels, at least one, in the order in which they are tried. */
  readonly channels: readonly [Channel, ...Channel[]]
  readonly card: MaskedCard | undefined
}

/** The fields that the merchant and the payer sent. */
type Given = Pick<PaymentOrder, 'card' | 'details' | 'personal' | 'walletToken'>

export type Circumstances = Pick<Needs, 'currency' | 'amount' | 'terminals'>

/**
 * Checks the method, the channels, the card brand and the bank. Returns the channels to try. This check runs at
 * acceptance and when the payer chooses a method on our page.
 */
export function chooseMethod(
  { vault, routing, reference, bins }: ChooseDeps,
  merchant: Merchant,
  method: Method,
  { card, details, personal, walletToken }: Given,
  circumstances: Circumstances,
): Chosen {
  if (merchant.methods?.has(method) === false) throw new Refusal('10011')
  const routes = merchant.routes.get(method)
  const needs = needsOf({ details, walletToken }, circumstances)
  const fields = { ...details, ...personal }
  const serves = (channel: Channel) => canServe(channel, needs) && knowsPayer(channel, fields)
  const channels = routing.pick(method, routes, serves)
  if (!isServed(channels)) throw refusalOf(routing.serving(method, routes), needs)
  const masked = card && maskCard(vault, card.number, bins)
  if (masked !== undefined && merchant.cardBrands?.has(masked.brand) === false) throw new Refusal('10012')
  const { bank } = methods[method]
  if (bank !== undefined && !knowsBank(reference, bank, fields)) throw new Refusal('10013')
  return { channels, card: masked }
}

export function needsOf(
  { details, walletToken }: Pick<Given, 'details' | 'walletToken'>,
  circumstances: Circumstances,
): Needs {
  const { billingCountry: country } = details
  return {
    ...circumstances,
    country: typeof country === 'string' ? country : undefined,
    fields: details,
    hasToken: walletToken !== undefined && walletToken !== '',
  }
}

function isServed(channels: readonly Channel[]): channels is Chosen['channels'] {
  return channels.length > 0
}

/**
 * Returns the payer's terminals. For a method that does not distinguish terminals, the only terminal is the desktop.
 */
export function terminalsFor(method: Method, details: Fields): Terminals {
  const traits = methods[method]
  return traits.terminals === undefined ? DESKTOP : terminalsOfOrder(details, traits)
}

export function takesCurrency(method: Method, currency: string): boolean {
  const { currencies } = methods[method]
  return currencies === 'any' || currencies.includes(currency)
}

/** Returns the terms of an order. Until the payer has chosen a method, the merchant's default fee plan applies. */
export function termsOf(
  rates: Pick<Rates, 'find'>,
  merchant: Merchant,
  method: Method | typeof CHECKOUT,
  { amount, currency }: Money,
): Terms {
  const settleCurrency = merchant.currencies.get(currency) ?? currency
  const rate = rates.find(currency, settleCurrency)
  if (rate === undefined) throw new Refusal('10014')
  const plan = method === CHECKOUT ? merchant.feePlans.get('') : feePlanOf(merchant, method)
  assert(plan !== undefined, 'every merchant has a fee plan')
  const { feeBps, marginBps, marginDays, settleDays } = plan
  const feeFixed = fixedFee(plan.feeFixed, currency)
  const settleRate = settleCurrency === currency ? undefined : rate
  if (!fitsBooks({ amount: amount + feeFixed, currency }, settleCurrency, settleRate))
    throw new Refusal(
      '10014',
      `the amount is too large to be booked in ${settleCurrency} at the current rate`,
    )
  return { feeBps, feeFixed, marginBps, marginDays, settleDays, settleCurrency, settleRate }
}

const MOST_CURRENCIES = 200
const MOST_FEES = 1_000
const fees = memoize(MOST_CURRENCIES, (currency) =>
  memoize(MOST_FEES, (decimal) => decimalHalfUp(decimal, currency)),
)

/**
 * Returns the fixed fee in minor units. Many orders have the same fee in the same currency, so the results are cached.
 */
function fixedFee(decimal: string, currency: string): bigint {
  const fee = fees(currency)(decimal)
  assert(fee !== undefined, 'a stored fee is a decimal')
  return fee
}

/**
 * True if the amount exceeds the merchant's review threshold, or the method's threshold if the merchant has none. A
 * payment by a method without a threshold needs no review, even if the merchant has a threshold.
 */
export function needsReview(merchant: Merchant, method: Method, { amount, currency }: Money): boolean {
  const { reviewAbove } = methods[method]
  if (reviewAbove === undefined) return false
  const most = merchant.reviewAbove ?? parseDecimal(reviewAbove, currency)
  assert(most !== undefined, 'a threshold is a decimal of the currency')
  return amount > most
}
