// Finds a payment with its amount, for merchants who compare the paid amount with the expected amount.
import type { ListItem } from './generated.ts'
import type { CallOptions, OrderStatus } from './known-order.ts'
import { listOrders } from './list-orders.ts'
import type { Settings } from './send.ts'

export type FoundPayment = {
  /** The status stays `succeeded` after a refund or a chargeback, which only `item.state` shows. */
  readonly status: Exclude<OrderStatus, 'not-found'>
  readonly tradeNo: string
  /** The amount in the merchant's request, for example `24.00`. */
  readonly amount: string
  readonly currency: string
  readonly item: ListItem
}

const statuses: Readonly<Record<ListItem['state'], FoundPayment['status']>> = {
  1: 'pending',
  24: 'pending',
  25: 'pending',
  6: 'failed',
  7: 'failed',
  5: 'succeeded',
  9: 'succeeded',
  10: 'succeeded',
  11: 'succeeded',
  12: 'succeeded',
  17: 'succeeded',
}

/** Queries the order list once. Resolves to undefined if the gateway has no payment with this number. */
export async function findPayment(
  settings: Settings,
  merOrderNo: string,
  options: CallOptions,
): Promise<FoundPayment | undefined> {
  for await (const item of listOrders(settings, { merOrderNos: [merOrderNo] }, options)) {
    const { state, tradeNo, sourceAmount, sourceCurrency } = item
    return { status: statuses[state], tradeNo, amount: sourceAmount, currency: sourceCurrency, item }
  }
  return undefined
}
