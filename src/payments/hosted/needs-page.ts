// Whether an order for a channel must wait on our page first: none of its channels knows enough of the payer.
import { knowsPayer } from '../../channels/known-payer.ts'
import type { Method } from '../../channels/method.ts'
import { canServe } from '../../channels/routing.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { needsOf, type PaymentOrder, type PrepareDeps, price, terminalsFor } from '../prepare-payment.ts'

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
