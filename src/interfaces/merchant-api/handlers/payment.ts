// Payments. `/payment` makes an order of the checked fields, and returns the order's outcome. A cashier endpoint
// accepts the order and returns the address of our page. On this page the payer pays with the method that the merchant
// named, or chooses a method. If an order needs such a page, `/payment` also returns its address.
import type { Merchant } from '../../../money/merchants/merchant.ts'
import type { NewPayment } from '../../../money/orders/new-order.ts'
import { isInReview, payerExpiry } from '../../../money/orders/order.ts'
import { type AcceptDeps, acceptPayment } from '../../../money/payments/accept-payments.ts'
import {
  needsPage,
  PAGE_OUTLIVES_MS,
  pageEnds,
  prepareHosted,
} from '../../../money/payments/hosted/prepare-hosted.ts'
import { type Made, makePayment, type PaymentDeps } from '../../../money/payments/make-payment.ts'
import {
  type PaymentOrder,
  type PrepareDeps,
  preparePayment,
} from '../../../money/payments/prepare-payment.ts'
import { assert, Refusal } from '../../../platform/errors/catalogue.ts'
import type { CardDetails, Outcome, PayerAction } from '../../../rails/contract/channel.ts'
import { type Method, methods } from '../../../rails/methods/methods.ts'
import type { CheckedRequest } from '../checks/check-request.ts'
import { splitBySecrecy } from '../fields/field-values.ts'
import { placesOf } from '../fields/read-fields.ts'
import type { Answer, Handler } from '../frame.ts'

type PaymentHandlerDeps = PaymentDeps & HostedDeps

export function createPaymentHandler(deps: PaymentHandlerDeps): Handler {
  return (request) => {
    const { merchant, method } = request
    assert(method !== undefined, 'a payment has a method')
    return pay(deps, merchant, method, orderOf(request))
  }
}

async function pay(
  deps: PaymentHandlerDeps,
  merchant: Merchant,
  method: Method,
  order: PaymentOrder,
): Promise<Answer> {
  if (needsPage(deps, merchant, method, order)) return acceptHosted(deps, merchant, method, order)
  const prepared = await preparePayment(deps, merchant, method, order)
  const { payment } = prepared
  const payUrl = payUrlOf(deps, method, payment)
  const made = await makePayment(deps, { ...prepared, completeUrl: `${payUrl}/complete` })
  return answerOf(made, method, payment, payUrl)
}

/**
 * Divides the fields of a payment. The named fields are left out, because each of them has a database column of its
 * own.
 */
const divide = splitBySecrecy([
  'merNo',
  'merOrderNo',
  'currencyCode',
  'sourceAmount',
  'returnUrl',
  'notifyUrl',
  'protestNotifyUrl',
])

function orderOf(request: CheckedRequest): PaymentOrder {
  const { plain: details, personal } = divide(request)
  const text = textsOf(request)
  return {
    merOrderNo: text('merOrderNo'),
    currencyCode: text('currencyCode'),
    sourceAmount: text('sourceAmount'),
    returnUrl: text('returnUrl'),
    notifyUrl: text('notifyUrl'),
    protestNotifyUrl: text('protestNotifyUrl'),
    card: cardOf(text),
    walletToken: walletTokenOf(text),
    personal,
    details,
    requestMac: request.requestMac,
  }
}

type Texts = (name: string) => string

function textsOf({ table, values }: CheckedRequest): Texts {
  const places = placesOf(table)
  return (name) => {
    const value = values[places.get(name) ?? -1] ?? ''
    if (typeof value !== 'string') throw new Error(`broken invariant: ${name} is a text`)
    return value
  }
}

function cardOf(text: Texts): CardDetails | undefined {
  const number = text('cardNo')
  if (number === '') return undefined
  return {
    number,
    expiryMonth: text('cardExpireMonth'),
    expiryYear: text('cardExpireYear'),
    securityCode: text('cardSecurityCode'),
  }
}

/** Returns the wallet token. A request has at most one token, because each token field belongs to one method. */
function walletTokenOf(text: Texts): string | undefined {
  return text('applePayToken') || text('googlePayToken') || undefined
}

function payUrlOf({ pageUrl }: PaymentHandlerDeps, method: Method, payment: NewPayment): string {
  const expiresAt = payerExpiry(payment.createdAt, methods[method].awaitsPayerMinutes)
  return pageUrl(payment.tradeNo, new Date(expiresAt.getTime() + PAGE_OUTLIVES_MS))
}

export const payCodes = { succeeded: 0, failed: 1, pending: 2, unknown: 2, calling: 2 } as const

/**
 * Builds the response. A decline is a normal response. If the channel refused the payment or never received it, the
 * response is an error, although the order exists.
 */
function answerOf(made: Made, method: Method, payment: NewPayment, payUrl: string): Answer {
  if (made.refusal !== undefined) throw made.refusal
  const { outcome, recorded } = made
  const { attemptState, message } = recorded
  if (attemptState === 'failed' && outcome.kind === 'failed') {
    const { cause } = outcome
    if (cause === 'refused' || cause === 'unauthorised')
      return { failure: new Refusal('99998', outcome.message) }
    if (cause === 'unreachable') return { failure: new Refusal('99995') }
  }
  // If the outcome is unknown, the page shows the next step once the wallet or bank has responded.
  const hasPage = attemptState === 'pending' || (attemptState === 'unknown' && method !== 'card')
  // For an order in review, the channel has the money, but the order has not succeeded yet.
  const payCode = isInReview(recorded.orderState) ? 2 : payCodes[attemptState]
  const names = namesOf(payment)
  if (!hasPage && !('action' in outcome))
    return { data: { ...names, payCode, message }, note: noteOf(payment) }
  return {
    data: {
      ...names,
      payCode,
      ...(hasPage && { payUrl }),
      ...shownBy(outcome, payerExpiry(recorded.order.attempt.createdAt, methods[method].awaitsPayerMinutes)),
      message,
    },
  }
}

/**
 * Returns a note for the merchant's request log. Only this note names the risk rule, because payers may be able to read
 * the response.
 */
function noteOf({ verdict }: NewPayment): string | undefined {
  return verdict?.refusal && `Refused by a risk rule: ${verdict.refusal.name}`
}

type Shown = Readonly<Record<string, string | undefined>>

/** Returns the fields for merchants who show the QR code or the account on their own pages, or call a wallet's SDK. */
function shownBy(outcome: Outcome, expiresAt: Date): Shown {
  const action = 'action' in outcome ? outcome.action : undefined
  if (action === undefined || action.kind === 'challenge' || action.kind === 'redirect') return {}
  return { ...shownIn(action), expiresAt: expiresAt.toISOString() }
}

function shownIn(action: Exclude<PayerAction, { readonly kind: 'challenge' | 'redirect' }>): Shown {
  switch (action.kind) {
    case 'app':
      return { sdkParams: action.sdkParams }
    case 'qr': {
      const { qrCode, account, reference, payee, bank: bankName, bic } = action
      // If there is a bank, the QR code describes a transfer. The payer may also type the data of the transfer, so the
      // payee's name is sent.
      const payeeName = bankName === undefined ? undefined : payee
      return { qrCode, account, reference, payeeName, bankName, bic }
    }
    case 'transfer': {
      const { qrCode, account, reference, payee: payeeName, bank: bankName, bic } = action
      return { qrCode, account, reference, payeeName, bankName, bic }
    }
    case 'crypto': {
      const { qrCode, account, coin, network, coinAmount } = action
      return { qrCode, account, coin, network, coinAmount }
    }
  }
}

type HostedDeps = AcceptDeps &
  PrepareDeps & {
    readonly pageUrl: (tradeNo: string, expiresAt: Date) => string
  }

/** Accepts an order that the payer pays on our page. If no method is named, the payer chooses one on the page. */
async function acceptHosted(
  deps: HostedDeps,
  merchant: Merchant,
  method: Method | undefined,
  order: PaymentOrder,
): Promise<Answer> {
  const payment = await prepareHosted(deps, merchant, method, order)
  const accepted = await acceptPayment(deps, payment)
  if (accepted.kind === 'refused') throw accepted.refusal
  const payUrl = deps.pageUrl(payment.tradeNo, pageEnds(payment.hosted.expiresAt, method))
  return { data: { ...namesOf(payment), payCode: 2, payUrl, message: 'Waiting for the payer' } }
}

type CashierDeps = HostedDeps

export function createCashierHandler(deps: CashierDeps): Handler {
  return (request) => acceptHosted(deps, request.merchant, request.method, orderOf(request))
}

/**
 * Returns the numbers of an order. The interface has two spellings of the merchant's order number, and the response has
 * both.
 */
function namesOf({ tradeNo, merOrderNo }: NewPayment) {
  return { tradeNo, merOrderNo, merorderNo: merOrderNo }
}
