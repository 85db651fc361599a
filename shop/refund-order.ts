// Refunds an order, in full or in part. The refund has the shop's own number, so repeated requests make only one
// refund.
import { type Tollgate, TollgateError } from '../sdk/src/entry.ts'
import { parseDecimal } from '../src/platform/base/money.ts'
import { leftToRefund, type Orders, type ShopOrder } from './orders.ts'
import { shown, wireAmount } from './prices.ts'

type RefundDeps = { readonly tollgate: Tollgate; readonly orders: Orders; readonly notifyUrl: string }

/** Returns the problem for the customer. Undefined if the refund was sent, now or before. */
export async function refundOrder(
  { tollgate, orders, notifyUrl }: RefundDeps,
  order: ShopOrder,
  number: string,
  text: string,
): Promise<string | undefined> {
  const { currency } = order.money
  const left = leftToRefund(order)
  const amount = parseDecimal(text.trim(), currency)
  if (order.tradeNo === undefined || order.status !== 'succeeded') return 'Only a paid order can be refunded.'
  // The customer pressed the button twice. Only the first request counts.
  if (order.refunds.some((refund) => refund.number === number)) return undefined
  if (amount === undefined || amount <= 0n)
    return `Enter an amount, such as ${wireAmount({ amount: left, currency })}.`
  if (amount > left) return `At most ${shown({ amount: left, currency })} can be refunded.`
  const refund = { number, refundNo: undefined, money: { amount, currency }, message: '' } as const
  orders.refund(order.number, { ...refund, status: 'sending' }, `Refund of ${shown(refund.money)} requested`)
  try {
    const sent = await tollgate.refund({
      merOrderNo: order.number,
      tradeNo: order.tradeNo,
      amount: wireAmount(refund.money),
      merRefundNo: number,
      notifyUrl,
    })
    const { status, message, refundNo } = sent
    orders.refund(
      order.number,
      { ...refund, status, message, refundNo },
      `The gateway accepted refund ${refundNo}`,
    )
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    recordError(orders, order, { ...refund, status: statusAfter(error), message: error.message })
  }
  return undefined
}

/** Without an answer, the refund may have been made. Then a notification will report the refund. */
function statusAfter({ next }: TollgateError): 'pending' | 'failed' {
  return next === 'retry-later' || next === 'ask-by-number' ? 'pending' : 'failed'
}

function recordError(orders: Orders, order: ShopOrder, refund: ShopOrder['refunds'][number]): void {
  orders.refund(order.number, refund, `Refund of ${shown(refund.money)}: ${refund.message}`)
}
