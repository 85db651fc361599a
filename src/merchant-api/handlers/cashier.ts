// The cashier endpoints accept an order, which the payer pays on our page, by the method that the merchant chose or by any
// enabled one. `/cashier/checkStand` returns the same response as a page (cashier-page.ts).
import type { Handler } from '../frame.ts'
import { acceptHosted, type HostedDeps } from './accept-hosted.ts'
import { orderOf } from './payment.ts'

export type CashierDeps = HostedDeps

export function createCashierHandler(deps: CashierDeps): Handler {
  return (request) => acceptHosted(deps, request.merchant, request.method, orderOf(request))
}
