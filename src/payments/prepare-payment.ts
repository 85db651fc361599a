// The checks of a well-formed request, in this order: currency, rate, channel, card brand, bank, limits. The first that fails
// refuses the payment, and nothing is stored.
import type { Clock } from '../base/clock.ts'
import { isCurrency } from '../base/currency.ts'
import { makeId } from '../base/id.ts'
import { localDay } from '../base/local-day.ts'
import { type Money, parseAmount } from '../base/money.ts'
import type { Vault } from '../base/secret.ts'
import type { CardDetails, Channel } from '../channels/contract.ts'
import { type Method, traitsOf } from '../channels/method.ts'
import type { Channels } from '../channels/registry.ts'
import type { Routing } from '../channels/routing.ts'
import { ANY_BROWSER, type Terminals } from '../channels/terminal.ts'
import { assert, Refusal } from '../errors/catalogue.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { PlatformLimits, PlatformLimitsCache } from '../merchants/platform-limits.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { ownLimits, PAY_INS, platformLimits } from '../orders/limit-usage.ts'
import { CHECKOUT, type HostedPayment, type NewPayment, sealPersonal } from '../orders/new-order.ts'
import type { Rates } from '../rates/rates.ts'
import {
  checkOffered,
  chooseMethod,
  needsReview,
  takesCurrency,
  terminalsFor,
  termsOf,
} from './choose-method.ts'

export type PrepareDeps = {
  readonly clock: Clock
  readonly vault: Vault
  readonly rates: Rates
  readonly channels: Channels
  readonly routing: Routing
  readonly platformLimits: PlatformLimitsCache
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
  readonly walletToken?: string | undefined
  /** Personal numbers: sealed before they are stored. */
  readonly personal: Readonly<Record<string, unknown>>
  /** All else. */
  readonly details: Readonly<Record<string, unknown>>
}

export type Prepared = {
  readonly payment: NewPayment
  /** In the order to try them; the payment's attempt is at the first. */
  readonly channels: readonly Channel[]
  /** Where the payer pays, the best first. */
  readonly terminals: Terminals
}

/** For an order that goes to its channel at once. */
export async function preparePayment(
  deps: PrepareDeps,
  merchant: Merchant,
  method: Method,
  order: PaymentOrder,
): Promise<Prepared> {
  const priced = price(deps, merchant, method, order)
  const { currency } = priced.money
  const terminals = terminalsFor(method, order.details)
  const { channels, card } = chooseMethod(deps, merchant, method, order, { currency, terminals })
  const [first] = channels
  const ofPlatform = await deps.platformLimits.of(priced.method)
  const createdAt = deps.clock.now()
  const attempt = { channel: first.name, card, askAt: lostAt(createdAt, first) }
  const payment = newPayment(deps, merchant, order, priced, { ofPlatform, createdAt, attempt })
  return { payment, channels, terminals }
}

function lostAt(createdAt: Date, { traits }: Channel): Date {
  return new Date(createdAt.getTime() + traits.timeoutMs + CALL_GRACE_MS)
}

/** The payer has this long to begin, and five tries. */
const HOSTED_MS = 30 * 60_000
const HOSTED_ATTEMPTS = 5

/** For an order whose payer begins on our page; undefined: and chooses the method there. */
export async function prepareHosted(
  deps: PrepareDeps,
  merchant: Merchant,
  method: Method | undefined,
  order: PaymentOrder,
): Promise<HostedPayment> {
  const priced = price(deps, merchant, method ?? CHECKOUT, order)
  const { currency } = priced.money
  checkOffered(deps.channels, merchant, method, { currency, terminals: ANY_BROWSER })
  if (method !== undefined) checkBank(method, { ...order.details, ...order.personal })
  const ofPlatform = await deps.platformLimits.of(priced.method)
  const createdAt = deps.clock.now()
  const payment = newPayment(deps, merchant, order, priced, { ofPlatform, createdAt, attempt: undefined })
  const expiresAt = new Date(createdAt.getTime() + HOSTED_MS)
  return { ...payment, maxAttempts: HOSTED_ATTEMPTS, hosted: { method, expiresAt } }
}

/** A merchant that chose the bank too chose one that exists; else the payer is asked. */
function checkBank(method: Method, fields: Readonly<Record<string, unknown>>): void {
  const { asks, knowsBank } = traitsOf(method)
  const isWhole = asks.every(({ name }) => fields[name] !== undefined)
  if (isWhole && knowsBank?.(fields) === false) throw new Refusal('10013')
}

type Priced = Pick<NewPayment, 'money' | 'usdValue' | 'terms'> & { readonly method: Method | typeof CHECKOUT }

/** Currency and rates. */
function price(
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
  const aliases = method === CHECKOUT ? undefined : traitsOf(method).currencyAliases
  const currency = aliases?.[currencyCode] ?? currencyCode
  if (merchant.currencies.size === 0) throw new Refusal('10010')
  if (!isCurrency(currency) || !merchant.currencies.has(currency)) throw new Refusal('10019')
  if (method !== CHECKOUT && !takesCurrency(method, currency)) throw new Refusal('10019')
  const amount = parseAmount(sourceAmount, currency)
  assert(amount !== undefined, 'the amount was checked with the fields')
  return { amount, currency }
}

type Beginning = Pick<NewPayment, 'createdAt' | 'attempt'> & {
  readonly ofPlatform: PlatformLimits | undefined
}

/** The limits, and all of the order that does not depend on where it is paid. */
function newPayment(
  deps: PrepareDeps,
  merchant: Merchant,
  order: PaymentOrder,
  { method, money, usdValue, terms }: Priced,
  { ofPlatform, createdAt, attempt }: Beginning,
): NewPayment {
  const { merNo, timezone } = merchant
  const day = localDay(createdAt, timezone)
  const own = ownLimits(merchant, PAY_INS, day, usdValue)
  const tradeNo = makeId('T', merNo, createdAt)
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
    sealed: sealPersonal(deps.vault, tradeNo, order.personal),
    usdValue,
    localDay: day,
    timezone,
    createdAt,
    terms,
    limits: ofPlatform === undefined ? own : [...own, ...platformLimits(ofPlatform, method, day)],
    maxAttempts: 1,
    needsReview: method !== CHECKOUT && needsReview(merchant, method, money),
    attempt,
  }
}
