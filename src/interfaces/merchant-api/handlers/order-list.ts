import { type AsOf, readAsOf, takeAsOf, writeAsOf } from '../../../money/order-queries/as-of.ts'
import { type ListedOrder, listOrders, type Selection } from '../../../money/order-queries/list-orders.ts'
import { wasPaid } from '../../../money/orders/order.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { localTime, momentOf } from '../../../platform/base/local-day.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type Fields, objectOf, textOf, textsOf } from '../fields/field-values.ts'
import { breaks } from '../fields/read-fields.ts'
import type { Handler } from '../frame.ts'

/**
 * Handles `/order/queryOrderList`: payments, newest first. If the caller sends `asOf` back, all pages show the same
 * state of the data.
 */
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

/** Describes an order. Fees and margin are in the source currency. Amounts that are not known yet are zero. */
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

/** True if the margin was released, or if refunds and chargebacks have used it up. */
function isMarginReleased({ margin, marginHeld, marginReleased }: ListedOrder): boolean {
  return marginReleased || ((margin ?? 0n) > 0n && marginHeld === 0n)
}

const MAX_NUMBERS = 500
const MAX_DAYS = 92
const MAX_PAGE_SIZE = 500
const DEFAULT_PAGE_SIZE = 15
const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

type Page = { readonly pageNum: number; readonly pageSize: number }

function readPage(fields: Fields): Page {
  const { pageNum = 1, pageSize = DEFAULT_PAGE_SIZE } = fields
  return {
    pageNum: within('pageNum', pageNum, Number.MAX_SAFE_INTEGER),
    pageSize: within('pageSize', pageSize, MAX_PAGE_SIZE),
  }
}

function within(name: string, value: unknown, most: number): number {
  if (typeof value === 'number' && value >= 1 && value <= most) return value
  throw new Refusal('10108', `${name} must be from 1 to ${most}`)
}

function readSentAsOf(fields: Fields): AsOf | undefined {
  const text = textOf(fields, 'asOf')
  const asOf = text === '' ? undefined : readAsOf(text)
  if (text !== '' && asOf === undefined) throw breaks('asOf', 'must be the asOf of an earlier response')
  return asOf
}

export function readSelection(fields: Fields, timezone: string): Selection {
  const [merOrderNos, tradeNos] = [textsOf(fields, 'merOrderNos'), textsOf(fields, 'tradeNos')]
  const limit = objectOf(fields, 'dateLimit')
  const given = [merOrderNos.length > 0, tradeNos.length > 0, limit !== undefined].filter(Boolean)
  if (given.length !== 1)
    throw new Refusal('99997', 'send exactly one of merOrderNos, tradeNos and dateLimit')
  if (limit !== undefined) return readSpan(limit, timezone)
  return merOrderNos.length > 0
    ? { kind: 'merOrderNos', numbers: atMost('merOrderNos', merOrderNos) }
    : { kind: 'tradeNos', numbers: atMost('tradeNos', tradeNos) }
}

function atMost(name: string, numbers: readonly string[]): readonly string[] {
  if (numbers.length <= MAX_NUMBERS) return numbers
  throw new Refusal('10108', `${name} must have at most ${MAX_NUMBERS} elements`)
}

/**
 * Reads a span of local times. The end is included up to the end of its second. The length is computed from local
 * times, so a clock change in the span does not matter.
 */
function readSpan(limit: Fields, timezone: string): Selection {
  const from = textOf(limit, 'from').replace(' ', 'T')
  const to = textOf(limit, 'to').replace(' ', 'T')
  const lengthMs = Date.parse(`${to}Z`) - Date.parse(`${from}Z`) + SECOND_MS
  if (lengthMs <= 0) throw new Refusal('10108', 'dateLimit.to must not be before dateLimit.from')
  if (lengthMs > MAX_DAYS * DAY_MS) throw new Refusal('10108', `dateLimit must span at most ${MAX_DAYS} days`)
  const until = new Date(lastMomentOf(possible(to), timezone).getTime() + SECOND_MS)
  return { kind: 'span', from: momentOf(possible(from), timezone), until }
}

/** Returns the last moment that has this local time. A local time occurs twice when clocks go back an hour. */
function lastMomentOf(local: string, timezone: string): Date {
  const first = momentOf(local, timezone)
  const again = new Date(first.getTime() + HOUR_MS)
  return localTime(again, timezone) === local ? again : first
}

/** Limits the time to the years 1971 to 9998, because calendar functions fail for extreme years. */
function possible(time: string): string {
  if (time < '1971') return '1971-01-01T00:00:00'
  return time > '9998' ? '9998-01-01T00:00:00' : time
}
