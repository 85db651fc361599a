// What a method means for an order: whether it may be used, at which channels, on which terms. The same checks apply when an
// order is accepted and when a payer chooses on our page: channel, card brand, bank.

import { memoize } from '../base/memoize.ts'
import { decimalHalfUp, type Money, parseDecimal } from '../base/money.ts'
import type { Vault } from '../base/secret.ts'
import { brandOf } from '../channels/card/brand.ts'
import type { CardDetails, Channel } from '../channels/contract.ts'
import { type Method, methodNames, traitsOf } from '../channels/method.ts'
import type { Channels } from '../channels/registry.ts'
import { type Routing, servingChannels } from '../channels/routing.ts'
import { canServe, refusalOf } from '../channels/serving.ts'
import { DESKTOP, type Terminals, terminalsOfOrder } from '../channels/terminal.ts'
import { assert, Refusal } from '../errors/catalogue.ts'
import { feePlanOf, type Merchant } from '../merchants/merchant.ts'
import { fitsBooks } from '../orders/charges.ts'
import { CHECKOUT, type MaskedCard } from '../orders/new-order.ts'
import type { Terms } from '../orders/order.ts'
import type { Rates } from '../rates/rates.ts'

export type ChooseDeps = { readonly vault: Vault; readonly routing: Routing }

export type Chosen = {
  /** In the order to try them, one at least. */
  readonly channels: readonly [Channel, ...Channel[]]
  readonly card: MaskedCard | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** All that the merchant sent and the payer entered. */
export type Given = {
  readonly card: CardDetails | undefined
  readonly details: Fields
  readonly personal: Fields
  readonly walletToken?: string | undefined
}

/** What the payer pays, and where. */
export type Circumstances = { readonly currency: string; readonly terminals: Terminals }

export function chooseMethod(
  { vault, routing }: ChooseDeps,
  merchant: Merchant,
  method: Method,
  { card, details, personal, walletToken }: Given,
  { currency, terminals }: Circumstances,
): Chosen {
  if (merchant.methods?.has(method) === false) throw new Refusal('10011')
  const routes = merchant.routes.get(method)
  const needs = { currency, terminals, hasToken: walletToken !== undefined && walletToken !== '' }
  const channels = routing.pick(method, routes, (channel) => canServe(channel, needs))
  if (!isServed(channels)) throw refusalOf(routing.serving(method, routes), needs)
  const masked = card && maskCard(vault, card)
  if (masked !== undefined && merchant.cardBrands?.has(masked.brand) === false) throw new Refusal('10012')
  if (traitsOf(method).knowsBank?.({ ...details, ...personal }) === false) throw new Refusal('10013')
  return { channels, card: masked }
}

function isServed(channels: readonly Channel[]): channels is Chosen['channels'] {
  return channels.length > 0
}

/** First six and last four are what may be shown; the fingerprint tells the same card again. */
function maskCard(vault: Vault, card: CardDetails): MaskedCard {
  return {
    first6: card.number.slice(0, 6),
    last4: card.number.slice(-4),
    brand: brandOf(card.number),
    fingerprint: vault.fingerprint(card.number),
  }
}

/** The channels that an order can go to from our pages, where nobody brings a wallet's token; in no order. */
export function payableAt(
  channels: Channels,
  merchant: Merchant,
  method: Method,
  { currency, terminals }: Circumstances,
): readonly Channel[] {
  if (merchant.methods?.has(method) === false || !takesCurrency(method, currency)) return []
  const needs = { currency, terminals, hasToken: false }
  return servingChannels(channels, method, merchant.routes.get(method))
    .map(({ channel }) => channel)
    .filter((channel) => canServe(channel, needs))
}

/** For an order that is to be paid on our pages; undefined: by a method that the payer chooses there. */
export function checkOffered(
  channels: Channels,
  merchant: Merchant,
  method: Method | undefined,
  circumstances: Circumstances,
): void {
  const asked = method === undefined ? methodNames() : [method]
  if (asked.some((one) => payableAt(channels, merchant, one, circumstances).length > 0)) return
  if (method === undefined || merchant.methods?.has(method) === false) throw new Refusal('10011')
  const serving = servingChannels(channels, method, merchant.routes.get(method))
  throw refusalOf(
    serving.map(({ channel }) => channel),
    { ...circumstances, hasToken: false },
  )
}

/** Methods that serve every terminal alike are not asked which one it is. */
export function terminalsFor(method: Method, details: Fields): Terminals {
  const traits = traitsOf(method)
  return traits.terminals === undefined ? DESKTOP : terminalsOfOrder(details, traits)
}

export function takesCurrency(method: Method, currency: string): boolean {
  const { currencies } = traitsOf(method)
  return currencies === 'any' || currencies.includes(currency)
}

/** Of a method that nobody chose yet: those of all methods without a plan of their own. */
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

/** A plan's fee in a currency is the same for all its orders. */
function fixedFee(decimal: string, currency: string): bigint {
  const fee = fees(currency)(decimal)
  assert(fee !== undefined, 'a stored fee is a decimal')
  return fee
}

/** Only methods that know a threshold of their own are reviewed; a merchant may have another. */
export function needsReview(merchant: Merchant, method: Method, { amount, currency }: Money): boolean {
  const { reviewAbove } = traitsOf(method)
  if (reviewAbove === undefined) return false
  const most = merchant.reviewAbove ?? parseDecimal(reviewAbove, currency)
  assert(most !== undefined, 'a threshold is a decimal of the currency')
  return amount > most
}
