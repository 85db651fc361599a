// Checks a hosted order, and finds the methods that our page can offer. An order with a given method also waits on our
// page if its fields about the payer are not enough for any channel.
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Channel } from '../../../rails/contract/channel.ts'
import { type Method, methodNames, methods } from '../../../rails/methods/methods.ts'
import { ANY_BROWSER } from '../../../rails/methods/terminal.ts'
import { type Fields, knowsBank } from '../../../rails/methods/traits.ts'
import { knowsPayer } from '../../../rails/routing/known-payer.ts'
import { type Channels, canServe, refusalOf, servingChannels } from '../../../rails/routing/routing.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { CHECKOUT, type HostedPayment } from '../../orders/new-order.ts'
import {
  type Circumstances,
  needsOf,
  newPayment,
  type PaymentOrder,
  type PrepareDeps,
  price,
  takesCurrency,
  terminalsFor,
} from '../prepare-payment.ts'

const HOSTED_MS = 30 * 60_000
const HOSTED_ATTEMPTS = 5

/** Prepares an order whose payer starts on our page. If `method` is undefined, the payer chooses a method there. */
export async function prepareHosted(
  deps: PrepareDeps,
  merchant: Merchant,
  method: Method | undefined,
  order: PaymentOrder,
): Promise<HostedPayment> {
  const priced = price(deps, merchant, method ?? CHECKOUT, order)
  checkOffered(deps.channels, merchant, method, { ...priced.money, terminals: ANY_BROWSER })
  if (method !== undefined) checkBank(deps.reference, method, { ...order.details, ...order.personal })
  const ofPlatform = await deps.platformLimits.of(priced.method)
  const createdAt = deps.clock.now()
  const payment = newPayment(deps, merchant, order, priced, { ofPlatform, createdAt, attempt: undefined })
  const expiresAt = new Date(createdAt.getTime() + HOSTED_MS)
  return { ...payment, maxAttempts: HOSTED_ATTEMPTS, hosted: { method, expiresAt } }
}

/** Refuses an order with an unknown bank. An order that lacks a field passes, because our page asks the payer. */
function checkBank(reference: PrepareDeps['reference'], method: Method, fields: Fields): void {
  const { asks, bank } = methods[method]
  if (bank === undefined) return
  const isWhole = asks.every(({ name }) => fields[name] !== undefined)
  if (isWhole && !knowsBank(reference, bank, fields)) throw new Refusal('10013')
}

/** Returns the channels that can serve a hosted order by the method. A hosted order comes without a wallet token. */
export function payableAt(
  channels: Channels,
  merchant: Merchant,
  method: Method,
  circumstances: Circumstances,
): readonly Channel[] {
  if (merchant.methods?.has(method) === false || !takesCurrency(method, circumstances.currency)) return []
  const needs = { ...circumstances, hasToken: false }
  return servingChannels(channels, method, merchant.routes.get(method))
    .map(({ channel }) => channel)
    .filter((channel) => canServe(channel, needs))
}

/** Refuses a hosted order that no channel can serve. Without a `method`, at least one method must be served. */
function checkOffered(
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

/**
 * True if an order with a given method must first wait on our page, because its fields about the payer are not enough
 * for any channel that can serve it.
 */
export function needsPage(
  deps: PrepareDeps,
  merchant: Merchant,
  method: Method,
  order: PaymentOrder,
): boolean {
  const fields = { ...order.details, ...order.personal }
  const all = deps.routing.serving(method, merchant.routes.get(method))
  if (all.every((channel) => knowsPayer(channel, fields))) return false
  const { money } = price(deps, merchant, method, order)
  const needs = needsOf(order, { ...money, terminals: terminalsFor(method, order.details) })
  const serving = all.filter((channel) => canServe(channel, needs))
  return serving.length > 0 && !serving.some((channel) => knowsPayer(channel, fields))
}

/** The time for which the page shows the result after the payer's time is over. */
export const PAGE_OUTLIVES_MS = 3_600_000

/** Returns the expiry of the link to the page. A payer who starts at the last moment has the method's full time. */
export function pageEnds(beginBy: Date, method: Method | undefined): Date {
  const possible = method === undefined ? methodNames() : [method]
  const longestMinutes = Math.max(...possible.map((one) => methods[one].awaitsPayerMinutes))
  return new Date(beginBy.getTime() + longestMinutes * 60_000 + PAGE_OUTLIVES_MS)
}
