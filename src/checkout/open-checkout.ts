// The pages' view of an order: found by its link, told in the payer's words, with the signed way back to the shop.
import type { KeyObject } from 'node:crypto'
import { formatAmount } from '../base/money.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { signerFor, signFields } from '../merchants/sign-fields.ts'
import { type CompleteDeps, completePayment } from '../payments/complete-payment.ts'
import { type FoundPayment, findPayment } from '../payments/find-payment.ts'
import { State, type StateNumber } from '../payments/payment.ts'
import type { LinkMaker } from './link.ts'
import type { CheckoutOrder } from './pay-page.ts'
import type { CheckoutDeps } from './routes.ts'

export type OpenCheckoutDeps = CompleteDeps & {
  readonly sandbox: boolean
  readonly links: LinkMaker
  readonly platformKey: KeyObject
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function openCheckout(deps: OpenCheckoutDeps): CheckoutDeps {
  const keyOf = (token: string) => deps.links.read(token, deps.clock.now())
  return {
    sandbox: deps.sandbox,
    async open(token) {
      const key = keyOf(token)
      return key && view(deps, await findPayment(deps.db, key))
    },
    async complete(token, answer) {
      const key = keyOf(token)
      return key && view(deps, await completePayment(deps, key, answer))
    },
  }
}

async function view(
  deps: OpenCheckoutDeps,
  payment: FoundPayment | undefined,
): Promise<CheckoutOrder | undefined> {
  const merchant = payment && (await deps.findMerchant(payment.merNo))
  if (payment === undefined || merchant === undefined) return undefined
  const { currency, amount } = payment.money
  const status = statusOf(payment)
  return {
    merchantName: merchant.name,
    tradeNo: payment.tradeNo,
    merOrderNo: payment.merOrderNo,
    amount: formatAmount(amount, currency),
    currency,
    status,
    message: payment.message,
    action: status === 'awaiting-payer' ? payment.attempt.action : undefined,
    returnUrl: await signedReturn(deps, merchant, payment),
  }
}

const ended: Readonly<Partial<Record<StateNumber, CheckoutOrder['status']>>> = {
  [State.succeeded]: 'succeeded',
  [State.failed]: 'failed',
  [State.cancelled]: 'failed',
}

function statusOf(payment: FoundPayment): CheckoutOrder['status'] {
  return ended[payment.state] ?? (payment.attempt.state === 'pending' ? 'awaiting-payer' : 'processing')
}

/** The shop learns the result from the notification; this tells the browser's way back, signed so that it can be checked. */
async function signedReturn(
  deps: OpenCheckoutDeps,
  merchant: Merchant,
  payment: FoundPayment,
): Promise<string> {
  const payCode = { succeeded: '0', failed: '1', 'awaiting-payer': '2', processing: '2' }[statusOf(payment)]
  const fields = { tradeNo: payment.tradeNo, merOrderNo: payment.merOrderNo, payCode }
  const sign = await signFields('return', fields, signerFor(merchant, deps.platformKey))
  const url = new URL(payment.returnUrl)
  for (const [name, value] of Object.entries({ ...fields, sign })) url.searchParams.set(name, value)
  return url.href
}
