// Sends an order to the gateway, once. A shop must be careful here: after a time-out the outcome is unknown, so the
// shop queries by the order number and never sends a second payment.
import { type Method, type NextStep, type Order, type Tollgate, TollgateError } from '../sdk/src/entry.ts'
import type { Form } from '../src/platform/pages/form.ts'
import type { Card } from './card-form.ts'
import { billing, customer, shipping } from './customer.ts'
import { type Common, fieldsOf, type OtherMethod } from './methods.ts'
import type { Orders, Report, ShopOrder } from './orders.ts'
import { type Currency, isCurrency, priceOf, wireAmount } from './prices.ts'

export type Placing =
  /** The gateway's page, for all methods or for one. */
  | { readonly by: 'page'; readonly method?: Method | undefined }
  | { readonly by: 'card'; readonly card: Card }
  | { readonly by: 'method'; readonly method: OtherMethod; readonly form: Form }

export type Payer = { readonly ip: string; readonly userAgent: string }

export type PlaceDeps = {
  readonly tollgate: Tollgate
  readonly orders: Orders
  /** The shop's own address for browsers. `notifyUrl` is the address that the gateway calls. */
  readonly shopUrl: string
  readonly notifyUrl: string
  /** Ends the polling when the shop stops. */
  readonly signal: AbortSignal
}

/** Sends the order, and records the outcome. */
export async function placeOrder(
  deps: PlaceDeps,
  order: ShopOrder,
  placing: Placing,
  payer: Payer,
): Promise<void> {
  const { orders } = deps
  try {
    const sent = await send(deps.tollgate, placing, commonFields(deps, order, payer))
    const { status, message, tradeNo, answer } = sent
    const report = { status: statusOf(status), message, tradeNo, answer }
    orders.report(order.number, report, `The gateway answered: ${status}`)
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    recordError(deps, order.number, error)
  }
}

function send(tollgate: Tollgate, placing: Placing, common: Common) {
  if (placing.by === 'card')
    return tollgate.pay('card', { ...common, ...billing, ...shipping, ...placing.card })
  if (placing.by === 'method') return payBy(tollgate, placing.method, common, placing.form)
  return placing.method === undefined
    ? tollgate.checkout({ ...common, ...billing })
    : tollgate.checkoutBy(placing.method, { ...common, ...billing })
}

function payBy<M extends OtherMethod>(tollgate: Tollgate, method: M, common: Common, form: Form) {
  return tollgate.pay<M>(method, fieldsOf[method](common, form))
}

function commonFields({ shopUrl, notifyUrl }: PlaceDeps, order: ShopOrder, payer: Payer): Common {
  const { number, lines, money } = order
  return {
    ...customer,
    merOrderNo: number,
    currencyCode: money.currency,
    sourceAmount: wireAmount(money),
    returnUrl: `${shopUrl}/orders/${number}/back`,
    notifyUrl,
    protestNotifyUrl: notifyUrl,
    ipAddress: payer.ip,
    userAgent: payer.userAgent,
    language: 'en',
    productInfoList: lines.map((line) => ({
      sku: line.product.sku,
      productName: line.product.name,
      price: wireAmount(priceOf(line, currencyOf(order))),
      quantity: String(line.quantity),
    })),
  }
}

function currencyOf({ money: { currency } }: ShopOrder): Currency {
  return isCurrency(currency) ? currency : 'USD'
}

function recordError(deps: PlaceDeps, number: string, error: TollgateError): void {
  const { message, next } = error
  if (next === 'ask-by-number') {
    deps.orders.report(number, { status: 'unknown', message }, `No answer came: ${message}`)
    findOutcome(deps, number).catch(console.error)
    return
  }
  const report = { status: statusAfter(next), message, advice: adviceFor[next] }
  deps.orders.report(number, report, `The gateway refused it: ${message}`)
}

function statusAfter(next: NextStep): Report['status'] {
  if (next === 'declined') return 'failed'
  return next === 'retry-later' ? 'not-sent' : 'refused'
}

const adviceFor: Readonly<Record<NextStep, string>> = {
  'retry-later': 'Try again in a moment.',
  'fix-request': 'Correct what the message names, and check out again.',
  'check-keys': 'Compare the shop with demo.json in the data folder, then start "npm run demo" again.',
  'ask-by-number': 'Ask the gateway about the order.',
  declined: 'Choose another way to pay.',
  'ask-operator': 'Run the command "doctor" of the gateway, which says what is not set up.',
}

/** Polls until the order is decided, for half a minute at most. If `waitMs` is 0, there is one query. */
export async function findOutcome(deps: PlaceDeps, number: string, waitMs?: number): Promise<void> {
  const { tollgate, orders, signal } = deps
  try {
    const asked = await tollgate.order({ merOrderNo: number }).resolve({ signal, waitMs })
    const { status, message, tradeNo } = asked
    orders.report(
      number,
      { status: statusOf(status), message, tradeNo },
      `The shop asked, and the gateway said: ${status}`,
    )
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof TollgateError)) throw error
    orders.report(
      number,
      stillUnknown(orders.find(number), error),
      `The shop asked in vain: ${error.message}`,
    )
  }
}

/** The report after a query that failed. The report does not change the order's status. */
function stillUnknown(order: ShopOrder | undefined, { message }: TollgateError): Report {
  return { status: order?.status ?? 'unknown', message }
}

function statusOf(status: Order['status']): Report['status'] {
  return status === 'not-found' ? 'not-sent' : status
}
