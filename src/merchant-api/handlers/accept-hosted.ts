// Accepts an order that its payer pays on our page, and answers with the address of that page.
import type { Method } from '../../channels/method.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { pageEnds } from '../../payments/hosted/page-ends.ts'
import { prepareHosted } from '../../payments/hosted/prepare-hosted.ts'
import { makeHosted, type PaymentDeps } from '../../payments/make-payment.ts'
import type { PaymentOrder, PrepareDeps } from '../../payments/prepare-payment.ts'
import type { Answer } from '../frame.ts'
import { namesOf } from './names-of.ts'

export type HostedDeps = Pick<PaymentDeps, 'batches'> &
  PrepareDeps & {
    /** Address of the order's payer page. */
    readonly pageUrl: (tradeNo: string, expiresAt: Date) => string
  }

/** Without a method, the payer chooses it there. */
export async function acceptHosted(
  deps: HostedDeps,
  merchant: Merchant,
  method: Method | undefined,
  order: PaymentOrder,
): Promise<Answer> {
  const payment = await prepareHosted(deps, merchant, method, order)
  const refusal = await makeHosted(deps, payment)
  if (refusal !== undefined) throw refusal
  const payUrl = deps.pageUrl(payment.tradeNo, pageEnds(payment.hosted.expiresAt, method))
  return { data: { ...namesOf(payment), payCode: 2, payUrl, message: 'Waiting for the payer' } }
}
