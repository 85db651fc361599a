// The dry run of a bulk refund: checks each row by the rules of a single refund, without making refunds.
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { findOrders } from '../../../money/order-queries/search/find-orders.ts'
import type { FoundOrder } from '../../../money/order-queries/search/scan-orders.ts'
import { checkRefunds, type WantedRefund } from '../../../money/refunds/apply-refund.ts'
import { parseDecimal, wireAmount } from '../../../platform/base/money.ts'
import type { RefundRow } from './sql.ts'

export type CheckDeps = Parameters<typeof checkRefunds>[0]

export type GivenRow = { readonly number: string; readonly amount?: string }

export async function checkRows(
  deps: CheckDeps,
  merchant: Merchant,
  bulkId: string,
  given: readonly GivenRow[],
  reason: string,
): Promise<RefundRow[]> {
  const rows: RefundRow[] = []
  const seen = new Set<string>()
  for (const [at, one] of given.entries()) {
    const rowNo = at + 1
    const order = await findOne(deps, merchant.merNo, one.number.trim())
    const row = order === undefined ? unknownRow(rowNo, one) : readRow(rowNo, one, order)
    const isRepeated = row.tradeNo !== null && seen.has(row.tradeNo)
    if (row.tradeNo !== null) seen.add(row.tradeNo)
    rows.push(isRepeated ? refused(row, 'The order is in the list twice. Leave one of them out.') : row)
  }
  const ready = rows.filter(({ state }) => state === 'ready')
  const wanted = ready.map((row) => wantedOf(row, bulkId, reason))
  const decided = wanted.length === 0 ? [] : await checkRefunds(deps, merchant, wanted)
  return rows.map((row) => {
    const refusal = decided[ready.indexOf(row)]?.refusal
    return refusal === undefined ? row : refused(row, refusal.message)
  })
}

/** Returns the refund of a row. Each row has its own refund number, so making the refund again is idempotent. */
export function wantedOf(row: RefundRow, bulkId: string, reason: string): WantedRefund {
  return {
    tradeNo: row.tradeNo ?? '',
    merOrderNo: row.merOrderNo,
    amount: wireAmount(row),
    merRefundNo: `${bulkId}-${row.rowNo}`,
    remark: reason,
    notifyUrl: '',
    isReplayProof: true,
  }
}

async function findOne({ db }: CheckDeps, merNo: number, number: string): Promise<FoundOrder | undefined> {
  // If the text is the trade number of an order, that order is meant, even if another order has the same text as its
  // merchant order number.
  const traded = await findOrders(db, merNo, { tradeNos: [number] }, undefined, 1)
  const found = traded.orders.length > 0 ? traded : await findOrders(db, merNo, { number }, undefined, 1)
  return found.orders[0]
}

function unknownRow(rowNo: number, { number }: GivenRow): RefundRow {
  const unknown = { rowNo, number, tradeNo: null, merOrderNo: '', currency: '', amount: 0n }
  return { ...unknown, state: 'refused', message: 'There is no order with this number.', refundNo: null }
}

function readRow(rowNo: number, given: GivenRow, order: FoundOrder): RefundRow {
  const { tradeNo, merOrderNo, currency } = order
  const row: RefundRow = {
    rowNo,
    number: given.number,
    tradeNo,
    merOrderNo,
    currency,
    amount: 0n,
    state: 'ready',
    message: '',
    refundNo: null,
  }
  const left = paidOf(order) - order.refunded
  if (given.amount === undefined || given.amount.trim() === '')
    return order.received !== null && left > 0n
      ? { ...row, amount: left }
      : refused(row, 'There is nothing left to refund.')
  const amount = parseDecimal(given.amount.trim(), currency)
  return amount === undefined || amount === 0n
    ? refused(row, `Enter an amount in ${currency}, such as 12.50.`)
    : { ...row, amount }
}

function paidOf({ received, amount }: FoundOrder): bigint {
  return received === null || received > amount ? amount : received
}

function refused(row: RefundRow, message: string): RefundRow {
  return { ...row, state: 'refused', message }
}
