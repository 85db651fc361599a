// What a merchant is told when a payment's state is news.
import { formatAmount } from '../base/money.ts'
import type { Deposit, Outcome } from '../channels/contract.ts'
import { isMethod, traitsOf } from '../channels/method.ts'
import type { Notification } from '../notifications/notification.ts'
import { depositsOf } from './deposits.ts'
import { type OpenOrder, State, type StateNumber } from './payment.ts'

type Told = {
  readonly order: OpenOrder
  readonly outcome: Outcome
  readonly orderState: StateNumber
  readonly message: string
  readonly received?: bigint | undefined
  readonly at: Date
}

const codes: Readonly<Partial<Record<StateNumber, string>>> = {
  [State.succeeded]: '0',
  [State.informationAsked]: '3',
}

export function notificationOf(change: Told): Notification {
  const { merNo, tradeNo, merOrderNo, notifyUrl, needsReview } = change.order
  const code = codes[change.orderState] ?? '1'
  const news = { tradeNo, merOrderNo, code, message: change.message }
  const arrival = arrivalOf(change)
  const fields = arrival === undefined ? news : { ...news, ...arrival }
  // Before its end an order has news of a review only.
  const isFirst = !needsReview
  return { merNo, tradeNo, event: 'payment', url: notifyUrl, fields, at: change.at, isFirst }
}

/** What is known of money that came by transfer. */
function arrivalOf({ order, outcome, received }: Told): Record<string, string> | undefined {
  const last = depositsOf(outcome).at(-1)
  if (last === undefined || received === undefined) return undefined
  return {
    receiveAmount: formatAmount(received, order.money.currency),
    ...(last.txHash !== undefined && { txHash: last.txHash }),
    ...(reportsPayerAccount(order.method) && payerOf(last)),
  }
}

function reportsPayerAccount(method: string): boolean {
  return isMethod(method) && traitsOf(method).reportsPayerAccount === true
}

function payerOf({ payerName, payerAccount }: Deposit): Record<string, string> {
  return {
    ...(payerName !== undefined && { counterpartyAccountName: payerName }),
    ...(payerAccount !== undefined && { counterpartyAccountNum: payerAccount }),
  }
}
