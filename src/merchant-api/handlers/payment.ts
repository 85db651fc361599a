// `/payment`: from checked fields to an order, and from its outcome to the answer.

import type { Outcome, PayerAction } from '../../channels/contract.ts'
import type { Method } from '../../channels/method.ts'
import { assert, Refusal } from '../../errors/catalogue.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { payerExpiry } from '../../payments/find-payment.ts'
import { type Made, makePayment, type PaymentDeps } from '../../payments/make-payment.ts'
import type { NewPayment } from '../../payments/new-payment.ts'
import { type PaymentOrder, type PrepareDeps, preparePayment } from '../../payments/prepare-payment.ts'
import type { Answer, Handler } from '../frame.ts'
import { orderOf } from './read-order.ts'

export type PaymentHandlerDeps = PaymentDeps &
  PrepareDeps & {
    /** The payer's page of an order. */
    readonly pageUrl: (tradeNo: string, expiresAt: Date) => string
  }

/** The page still shows the result for a while after the payer's time is over. */
export const PAGE_OUTLIVES_MS = 3_600_000

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

function payUrlOf({ pageUrl }: PaymentHandlerDeps, method: Method, payment: NewPayment): string {
  const expiresAt = payerExpiry(method, payment.createdAt)
  return pageUrl(payment.tradeNo, new Date(expiresAt.getTime() + PAGE_OUTLIVES_MS))
}

const payCodes = { succeeded: 0, failed: 1, pending: 2, unknown: 2, calling: 2 } as const

/** A decline is an answer, not an error. What the channel would not open, or never heard of, is an error with an order. */
function answerOf(made: Made, method: Method, payment: NewPayment, payUrl: string): Answer {
  if (made.refusal !== undefined) throw made.refusal
  const { outcome, recorded } = made
  const { attemptState, message } = recorded
  if (attemptState === 'failed' && outcome.kind === 'failed') {
    if (outcome.cause === 'refused') return { failure: new Refusal('99998', outcome.message) }
    if (outcome.cause === 'unreachable') return { failure: new Refusal('99995') }
  }
  // A payer whose wallet or bank was silent at first finds on the page what to do, once it is known.
  const hasPage = attemptState === 'pending' || (attemptState === 'unknown' && method !== 'card')
  const payCode = payCodes[attemptState]
  const names = namesOf(payment)
  if (!hasPage && !('action' in outcome)) return { data: { ...names, payCode, message } }
  return {
    data: {
      ...names,
      payCode,
      ...(hasPage && { payUrl }),
      ...shownBy(outcome, payerExpiry(method, recorded.order.attempt.createdAt)),
      message,
    },
  }
}

export function namesOf({ tradeNo, merOrderNo }: NewPayment) {
  return { tradeNo, merOrderNo, merorderNo: merOrderNo }
}

type Shown = Readonly<Record<string, string | undefined>>

/**
 * What a merchant needs who shows the code or the account in a page of its own, or calls a wallet's SDK in its app.
 * Undefined fields are not written.
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
      // A code for an account at a bank is a transfer: it may also be made by hand.
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
