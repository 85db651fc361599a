// Checks an order for our pages, and finds the methods that can be offered there.

import type { Channel } from '../../channels/contract.ts'
import { type Method, methodNames, methods } from '../../channels/method.ts'
import { type Channels, canServe, refusalOf, servingChannels } from '../../channels/routing.ts'
import { ANY_BROWSER } from '../../channels/terminal.ts'
import { type Fields, knowsBank } from '../../channels/traits.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { CHECKOUT, type HostedPayment } from '../../orders/new-order.ts'
import {
  type Circumstances,
  newPayment,
  type PaymentOrder,
  type PrepareDeps,
  price,
  takesCurrency,
} from '../prepare-payment.ts'

/** The payer's time to start, and the number of attempts. */
const HOSTED_MS = 30 * 60_000
const HOSTED_ATTEMPTS = 5

/** For an order whose payer starts on our page. Without a method, the payer chooses it there. */
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

/** A bank that the merchant chose must exist. Without one, the payer is asked. */
function checkBank(reference: PrepareDeps['reference'], method: Method, fields: Fields): void {
  const { asks, bank } = methods[method]
  if (bank === undefined) return
  const isWhole = asks.every(({ name }) => fields[name] !== undefined)
  if (isWhole && !knowsBank(reference, bank, fields)) throw new Refusal('10013')
}

/** The channels that can serve an order from our pages, where the merchant sends no wallet token; in no particular order. */
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

/** For an order on our pages. Without a method, for any that the payer may choose there. */
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
