// The cashier endpoints accept an order, which the payer pays on our page, by the method that the merchant chose or by any
// enabled one. `/cashier/checkStand` returns the same response as a page (cashier-page.ts).
import { pageEnds } from '../../payments/hosted/page-ends.ts'
import { prepareHosted } from '../../payments/hosted/prepare-hosted.ts'
import { makeHosted, type PaymentDeps } from '../../payments/make-payment.ts'
import type { PrepareDeps } from '../../payments/prepare-payment.ts'
import type { Handler } from '../frame.ts'
import { namesOf, orderOf } from './payment.ts'

export type CashierDeps = Pick<PaymentDeps, 'batches'> &
  PrepareDeps & {
    /** Address of the order's payer page. */
    readonly pageUrl: (tradeNo: string, expiresAt: Date) => string
  }

export function createCashierHandler(deps: CashierDeps): Handler {
  return async (request) => {
    const { merchant, method } = request
    const payment = await prepareHosted(deps, merchant, method, orderOf(request))
    const refusal = await makeHosted(deps, payment)
    if (refusal !== undefined) throw refusal
    const payUrl = deps.pageUrl(payment.tradeNo, pageEnds(payment.hosted.expiresAt, method))
    return { data: { ...namesOf(payment), payCode: 2, payUrl, message: 'Waiting for the payer' } }
  }
}
