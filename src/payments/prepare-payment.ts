// The checks between a well-formed request and the database, as a flat ladder in the decided order: currency, rate,
// channel, card brand, limits. The first that fails is the answer, and nothing is stored.
import type { Clock } from '../base/clock.ts'
import { isCurrency } from '../base/currency.ts'
import { assert, Refusal } from '../base/error.ts'
import { makeId } from '../base/id.ts'
import { localDay } from '../base/local-day.ts'
import { decimalHalfUp, type Money, parseAmount, type Rate } from '../base/money.ts'
import type { Vault } from '../base/secret.ts'
import { brandOf } from '../channels/card/brand.ts'
import type { CardDetails, Channel } from '../channels/contract.ts'
import { type Method, traitsOf } from '../channels/method.ts'
import type { Channels } from '../channels/registry.ts'
import { feePlanOf, type Merchant } from '../merchants/merchant.ts'
import type { PlatformLimitsBook } from '../merchants/platform-limits.ts'
import type { Rates } from '../rates/rates.ts'
import { ownLimits, PAY_INS, platformLimits } from './limits.ts'
import type { MaskedCard, NewPayment } from './new-payment.ts'
import { CALL_GRACE_MS, type Terms } from './payment.ts'

export type PrepareDeps = {
  readonly clock: Clock
  readonly vault: Vault
  readonly rates: Rates
  readonly channels: Channels
  readonly platformLimits: PlatformLimitsBook
}

/** A payment order whose fields are known to be well formed. */
export type PaymentOrder = {
  readonly merOrderNo: string
  readonly currencyCode: string
  readonly sourceAmount: string
  readonly returnUrl: string
  readonly notifyUrl: string
  readonly protestNotifyUrl: string
  readonly card: CardDetails | undefined
  /** Personal numbers: sealed before they are stored. */
  readonly personal: Readonly<Record<string, unknown>>
  /** All else. */
  readonly details: Readonly<Record<string, unknown>>
}

export type Prepared = { readonly payment: NewPayment; readonly channel: Channel }

export async function preparePayment(
  deps: PrepareDeps,
  merchant: Merchant,
  method: Method,
  order: PaymentOrder,
): Promise<Prepared> {
  const money = moneyOf(merchant, method, order)
  const usdValue = deps.rates.usdValue(money) ?? refuse('10014')
  const settleCurrency = merchant.currencies.get(money.currency) ?? money.currency
  const settleRate = deps.rates.find(money.currency, settleCurrency) ?? refuse('10014')
  const channel = channelOf(deps.channels, merchant, method)
  const card = order.card && maskCard(deps.vault, order.card)
  if (card !== undefined && merchant.cardBrands?.has(card.brand) === false) refuse('10012')
  const createdAt = deps.clock.now()
  const day = localDay(createdAt, merchant.timezone)
  const own = ownLimits(merchant, PAY_INS, day, usdValue)
  const platform = platformLimits(await deps.platformLimits.of(method), method, day)
  const tradeNo = makeId('T', merchant.merNo, createdAt)
  const payment: NewPayment = {
    merNo: merchant.merNo,
    tradeNo,
    merOrderNo: order.merOrderNo,
    method,
    money,
    returnUrl: order.returnUrl,
    notifyUrl: order.notifyUrl,
    protestNotifyUrl: order.protestNotifyUrl,
    details: order.details,
    sealed: sealPersonal(deps.vault, tradeNo, order.personal),
    usdValue,
    localDay: day,
    timezone: merchant.timezone,
    createdAt,
    terms: termsOf(merchant, method, money.currency, { settleCurrency, settleRate }),
    limits: [...own, ...platform],
    channel: channel.name,
    card,
    askAt: new Date(createdAt.getTime() + channel.traits.timeoutMs + CALL_GRACE_MS),
  }
  return { payment, channel }
}

function refuse(code: ConstructorParameters<typeof Refusal>[0]): never {
  throw new Refusal(code)
}

function moneyOf(merchant: Merchant, method: Method, order: PaymentOrder): Money {
  const { currencyCode: currency, sourceAmount } = order
  const { currencies } = traitsOf(method)
  if (merchant.currencies.size === 0) refuse('10010')
  if (!isCurrency(currency) || !merchant.currencies.has(currency)) refuse('10019')
  if (currencies !== 'any' && !currencies.includes(currency)) refuse('10019')
  const amount = parseAmount(sourceAmount, currency)
  assert(amount !== undefined, 'the amount was checked with the fields')
  return { amount, currency }
}

function channelOf(channels: Channels, merchant: Merchant, method: Method): Channel {
  if (merchant.methods?.has(method) === false) refuse('10011')
  return channels.forMethod(method) ?? refuse('10011')
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

function sealPersonal(
  vault: Vault,
  tradeNo: string,
  personal: Readonly<Record<string, unknown>>,
): Buffer | undefined {
  if (Object.keys(personal).length === 0) return undefined
  return vault.seal(JSON.stringify(personal), `order:${tradeNo}`)
}

type Settling = { readonly settleCurrency: string; readonly settleRate: Rate }

function termsOf(merchant: Merchant, method: Method, currency: string, settling: Settling): Terms {
  const plan = feePlanOf(merchant, method)
  assert(plan !== undefined, 'every merchant has a fee plan')
  const { feeBps, marginBps, marginDays, settleDays } = plan
  const feeFixed = decimalHalfUp(plan.feeFixed, currency)
  assert(feeFixed !== undefined, 'a stored fee is a decimal')
  const { settleCurrency } = settling
  const settleRate = settleCurrency === currency ? undefined : settling.settleRate
  return { feeBps, feeFixed, marginBps, marginDays, settleDays, settleCurrency, settleRate }
}
