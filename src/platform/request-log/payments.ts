// Groups successful payments, which are nearly all of the log. Payments of one merchant share a row if they are in the
// same write and the same slice of time. All ids of a row therefore have the same beginning.
import { uuidsFrom } from '../base/uuid.ts'
import { type OrderFilter, PAYMENT, type RequestFilter, type RequestRow, SUCCESS } from './entry.ts'

/** The number of leading characters that the ids of a slice share: the time in units of about four seconds. */
const SLICE_LENGTH = 10
const END_OF_SLICE = 'fff-ffff-ffff-ffffffffffff'
/** The maximum time from the start of a request to the creation of its order. */
const MOST_UNTIL_ORDER_MS = 60_000
/** The assumed maximum difference between the clocks of two machines. An order may seem older than its request. */
const MOST_CLOCK_DIFFERENCE_MS = 5_000

export type Payments = {
  readonly merNo: number
  /** The common beginning of the ids. */
  readonly slice: string
  lastId: string
  readonly rows: RequestRow[]
}

/** True for a successful payment without a note. Only ids, duration and place of such a payment must be stored. */
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

/** Returns a range that contains the id of the request that created the order. Undefined if there is no order. */
export function idsAround({ madeAt }: OrderFilter): { from: string; below: string } | undefined {
  if (madeAt === undefined) return undefined
  const from = uuidsFrom(new Date(madeAt.getTime() - MOST_UNTIL_ORDER_MS))
  return { from, below: uuidsFrom(new Date(madeAt.getTime() + MOST_CLOCK_DIFFERENCE_MS)) }
}
