// `/payment`: builds an order from checked fields, and the response from its outcome.

import type { CardDetails, Outcome, PayerAction } from '../../channels/contract.ts'
import { type Method, methods } from '../../channels/method.ts'
import { assert, Refusal } from '../../errors/catalogue.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { isInReview, payerExpiry } from '../../orders/order.ts'
import { needsPage } from '../../payments/hosted/needs-page.ts'
import { PAGE_OUTLIVES_MS } from '../../payments/hosted/page-ends.ts'
import { type Made, makePayment, type PaymentDeps } from '../../payments/make-payment.ts'
import { type PaymentOrder, preparePayment } from '../../payments/prepare-payment.ts'
import type { CheckedRequest } from '../checks/check-request.ts'
import { splitBySecrecy } from '../fields/field-values.ts'
import { placesOf } from '../fields/read-fields.ts'
import type { Answer, Handler } from '../frame.ts'
import { acceptHosted, type HostedDeps } from './accept-hosted.ts'
import { namesOf } from './names-of.ts'

export type PaymentHandlerDeps = PaymentDeps & HostedDeps

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
  const { payment, channels, terminals } = await preparePayment(deps, merchant, method, order)
  const payUrl = payUrlOf(deps, method, payment)
  const made = await makePayment(deps, {
    payment,
    channels,
    terminals,
    card: order.card,
    walletToken: order.walletToken,
    personal: order.personal,
    merchantName: merchant.name,
    completeUrl: `${payUrl}/complete`,
  })
  return answerOf(made, method, payment, payUrl)
}

/** Fields with their own column. */
const divide = splitBySecrecy([
  'merNo',
  'merOrderNo',
  'currencyCode',
  'sourceAmount',
  'returnUrl',
  'notifyUrl',
  'protestNotifyUrl',
])

/** The payment order in the checked fields of a pay-in request. */
export function orderOf(request: CheckedRequest): PaymentOrder {
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
  }
}

/** The text of a field, '' when it was not sent. */
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

/** A request has at most one: each belongs to its own method. */
function walletTokenOf(text: Texts): string | undefined {
  return text('applePayToken') || text('googlePayToken') || undefined
}

function payUrlOf({ pageUrl }: PaymentHandlerDeps, method: Method, payment: NewPayment): string {
  const expiresAt = payerExpiry(payment.createdAt, methods[method].awaitsPayerMinutes)
  return pageUrl(payment.tradeNo, new Date(expiresAt.getTime() + PAGE_OUTLIVES_MS))
}

export const payCodes = { succeeded: 0, failed: 1, pending: 2, unknown: 2, calling: 2 } as const

/** A decline is a normal response. A payment that the channel refused or never received is an error, but the order exists. */
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
  // If the wallet or bank has not responded yet, the page shows the payer what to do once it has.
  const hasPage = attemptState === 'pending' || (attemptState === 'unknown' && method !== 'card')
  // In review the channel has the money, and the order has not succeeded yet.
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

/** The merchant's log names the rule; the response does not, because payers may read it. */
function noteOf({ verdict }: NewPayment): string | undefined {
  return verdict?.refusal && `Refused by a risk rule: ${verdict.refusal.name}`
}

type Shown = Readonly<Record<string, string | undefined>>

/**
 * For merchants who show the QR code or account on their own page, or call a wallet's SDK in their app. JSON leaves out
 * undefined fields.
 */
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
      // A QR code for a bank account is a transfer, which the payer may also enter by hand.
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
