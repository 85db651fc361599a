// Payments that succeeded are nearly all of the log. Several of them share a row: those of one merchant from one write and one slice
// of time. A payment is in one of the few rows whose last id begins as its own does.
import { uuidsFrom } from '../base/uuid.ts'
import { type OrderFilter, PAYMENT, type RequestFilter, type RequestRow, SUCCESS } from './entry.ts'

/** The characters of an id that all of a slice have in common: the time in units of four seconds. */
const SLICE_LENGTH = 10
const END_OF_SLICE = 'fff-ffff-ffff-ffffffffffff'
/** An order is made after its request began, and this much later at most. */
const MOST_UNTIL_ORDER_MS = 60_000
/** And not before, but for another clock. */
const MOST_CLOCK_DIFFERENCE_MS = 5_000

export type Payments = {
  readonly merNo: number
  /** What all ids of the slice begin with. */
  readonly slice: string
  lastId: string
  readonly rows: RequestRow[]
}

/** Rows that say no more than that a payment succeeded. */
export function isPayment(row: RequestRow): boolean {
  const isSuccess = row.endpoint === PAYMENT && row.code === SUCCESS && row.status === 200
  return isSuccess && row.reason === undefined && row.merOrderNo !== undefined && row.tradeNo !== undefined
}

export function groupPayments(rows: readonly RequestRow[]): Payments[] {
  const groups: Payments[] = []
  const latest = new Map<number, Payments>()
  for (const row of rows) {
    const { merNo, requestId } = row
    const group = latest.get(merNo)
    if (group !== undefined && requestId.startsWith(group.slice)) {
      group.rows.push(row)
      if (requestId > group.lastId) group.lastId = requestId
      continue
    }
    const next = { merNo, slice: requestId.slice(0, SLICE_LENGTH), lastId: requestId, rows: [row] }
    latest.set(merNo, next)
    groups.push(next)
  }
  return groups
}

export function lastOfSlice(requestId: string): string {
  return requestId.slice(0, SLICE_LENGTH) + END_OF_SLICE
}

export function mayFindPayments({ endpoint = PAYMENT, code = SUCCESS, ...filter }: RequestFilter): boolean {
  if (endpoint !== PAYMENT || code !== SUCCESS || filter.refusedOnly === true) return false
  return filter.order === undefined || filter.order.madeAt !== undefined
}

/** Ids between which the request is that made the order. */
export function idsAround({
  madeAt,
}: OrderFilter): { readonly from: string; readonly below: string } | undefined {
  if (madeAt === undefined) return undefined
  const from = uuidsFrom(new Date(madeAt.getTime() - MOST_UNTIL_ORDER_MS))
  return { from, below: uuidsFrom(new Date(madeAt.getTime() + MOST_CLOCK_DIFFERENCE_MS)) }
}
