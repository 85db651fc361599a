import type { Clock } from '../../base/clock.ts'
import { formatAmount } from '../../base/money.ts'
import { takeAsOf, writeAsOf } from '../../order-queries/as-of.ts'
import { type ListedOrder, listOrders } from '../../order-queries/list-orders.ts'
import { wasPaid } from '../../orders/order.ts'
import type { Db } from '../../postgres/db.ts'
import type { Handler } from '../frame.ts'
import { readPage, readSelection, readSentAsOf } from './read-selection.ts'

/** `/order/queryOrderList`: pay-ins, newest first, page by page. A caller that sends `asOf` back gets stable pages. */
export function createOrderListHandler({ db, clock }: { readonly db: Db; readonly clock: Clock }): Handler {
  return async ({ merchant, fields }) => {
    const selection = readSelection(fields, merchant.timezone)
    const { pageNum, pageSize } = readPage(fields)
    const asOf = readSentAsOf(fields) ?? (await takeAsOf(db, clock.now()))
    const query = { merNo: merchant.merNo, selection, asOf }
    const page = { offset: (pageNum - 1) * pageSize, limit: pageSize }
    const { total, orders } = await listOrders(db, query, page)
    const totalPage = Math.ceil(total / pageSize)
    return {
      data: { pageNum, pageSize, totalPage, total, list: orders.map(describe), asOf: writeAsOf(asOf) },
    }
  }
}

/** Fees and margin are in the source currency. An amount that is not known yet is zero. */
function describe(order: ListedOrder) {
  const { currency, settleCurrency } = order
  const sum = (amount: bigint | null) => formatAmount(amount ?? 0n, currency)
  return {
    state: order.state,
    merOrderNo: order.merOrderNo,
    tradeNo: order.tradeNo,
    handlingFee: sum(order.handlingFee),
    receiveAmount: sum(order.received),
    settleAmount: formatAmount(order.settleAmount ?? 0n, settleCurrency),
    settlementCurrency: settleCurrency,
    margin: sum(order.margin),
    marginStatus: isMarginReleased(order) ? 1 : 0,
    transactionProcessingFee: sum(order.processingFee),
    exceptionHandlingFee: sum(order.exceptionFees),
    refundAmount: sum(order.refunded),
    refundCurrency: currency,
    sourceAmount: sum(order.amount),
    sourceCurrency: currency,
    refusalPayReason: order.chargebackReason,
    message: order.message,
    ...(wasPaid(order.state) && { settle: order.settled ? 1 : 0 }),
  }
}

/** Released when it was due, or used up earlier by refunds and chargebacks. */
function isMarginReleased({ margin, marginHeld, marginReleased }: ListedOrder): boolean {
  return marginReleased || ((margin ?? 0n) > 0n && marginHeld === 0n)
}
