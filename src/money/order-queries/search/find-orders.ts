// Finds the payments of one or all merchants by any combination of filters, the newest first, page by page.
//
// A search by order numbers reads only the orders with these numbers. Otherwise the most selective filter that has
// search keys drives the search: the orders with its keys are scanned, newest first, and each order is checked against
// the other filters. Without such a filter, all orders are scanned by time. A page scans a bounded number of orders. If
// the scan reaches the bound before the page is full, the page is short, and the next page continues where the scan
// stopped. The bound keeps the cost of a page independent of the number of orders.
import { merNoOf } from '../../../platform/base/id.ts'
import { type Db, inKeyOrder, type Tx } from '../../../platform/postgres/db.ts'
import type { OrderKey } from '../../orders/order.ts'
import { amountKey, cardKey, emailKey, methodKey, nameKeys, referenceKey, stateKey } from './keys.ts'
import {
  type Conditions,
  countUpTo,
  type FoundOrder,
  findByNumber,
  isAnyOrder,
  type Position,
  readOrders,
  type Scanned,
  type Searched,
  type Span,
  scan,
  scanCount,
  scanNumbered,
} from './scan-orders.ts'

export type OrderFilter = {
  /** Our trade number or the merchant's order number. The other filters still apply. */
  readonly number?: string | undefined
  /** The trade numbers of the only orders to find. */
  readonly tradeNos?: readonly string[] | undefined
  readonly email?: string | undefined
  readonly name?: string | undefined
  /** The last four digits of the card. */
  readonly card?: string | undefined
  /** The fingerprint of a card that one of the order's attempts was made with. */
  readonly fingerprint?: string | undefined
  /** The amount as a decimal, in any currency. */
  readonly amount?: string | undefined
  readonly reference?: string | undefined
  readonly states?: readonly number[] | undefined
  readonly methods?: readonly string[] | undefined
  readonly currency?: string | undefined
  /** The smallest and largest amount, in minor units of `currency`. */
  readonly least?: bigint | undefined
  readonly most?: bigint | undefined
  readonly from?: Date | undefined
  /** The end of the span, exclusive. */
  readonly until?: Date | undefined
}

type OrderPage = {
  readonly orders: readonly FoundOrder[]
  /** The position after which the next page begins. Undefined on the last page. */
  readonly next: Position | undefined
  /** True if the scan stopped at the maximum number of orders, so that the page may be short. */
  readonly isCut: boolean
}

const MOST_SCANNED = 5_000
const MOST_AT_ONCE = 2_000
/** The maximum number of orders per statement in a search over all merchants. */
const MOST_AT_ONCE_OF_ALL = 500
/**
 * The maximum number of orders that are counted for a filter. Filters with more orders count as equally unselective.
 */
const MOST_COUNTED = 300

export function findOrders(
  db: Db,
  merNo: Searched,
  filter: OrderFilter,
  after: Position | undefined,
  limit: number,
): Promise<OrderPage> {
  return db.transaction(async (tx) => {
    await tx.query({ text: inKeyOrder })
    const span = spanOf(filter, after)
    const found = isNumbered(filter)
      ? await findNumberedPage(tx, merNo, filter, span, limit)
      : await findPage(tx, merNo, filter, span, limit)
    const orders = found.keys.length === 0 ? [] : await readOrders(tx, found.keys)
    return { orders, next: found.next, isCut: found.isCut }
  })
}

/** The number of orders that a filter matches, up to 10,000. If `isExact` is false, there may be more. */
export type OrderCount = { readonly count: number; readonly isExact: boolean }

const MOST_TOLD = 10_000
/** The maximum number of orders that a count reads, matching or not. */
const MOST_CHECKED = 20_000

/** Counts the orders that a filter matches. The number of orders that the count reads is bounded. */
export function countOrders(db: Db, merNo: Searched, filter: OrderFilter): Promise<OrderCount> {
  return db.transaction(async (tx) => {
    await tx.query({ text: inKeyOrder })
    const span = spanOf(filter, undefined)
    if (isNumbered(filter))
      return { count: (await findNumbered(tx, merNo, filter, span)).length, isExact: true }
    const { driver, conditions } = await planSearch(tx, merNo, filter, span)
    const limit = isAnyOrder(driver, conditions) ? MOST_TOLD + 1 : MOST_CHECKED
    const { found, read } = await scanCount(tx, merNo, span, driver, conditions, limit)
    return { count: Math.min(found, MOST_TOLD), isExact: found <= MOST_TOLD && read < limit }
  })
}

/** A time in the year 2243, which is later than any order. */
const LAST = new Date(8.64e15 / 1000)
const FIRST = new Date(0)

function spanOf({ from = FIRST, until }: OrderFilter, after: Position | undefined): Span {
  const end = { createdAt: until ?? LAST, tradeNo: '' }
  return { from, after: after === undefined || after.createdAt >= end.createdAt ? end : after }
}

type Found = {
  readonly keys: readonly OrderKey[]
  readonly next: Position | undefined
  readonly isCut: boolean
}

async function findPage(
  tx: Tx,
  merNo: Searched,
  filter: OrderFilter,
  span: Span,
  limit: number,
): Promise<Found> {
  const { driver, conditions } = await planSearch(tx, merNo, filter, span)
  const mostAtOnce = merNo === undefined ? MOST_AT_ONCE_OF_ALL : MOST_AT_ONCE
  const keys: OrderKey[] = []
  let [after, atOnce, scanned, last] = [span.after, Math.min(limit + 1, mostAtOnce), 0, span.after]
  while (scanned < MOST_SCANNED) {
    const rows = await scan(tx, merNo, { ...span, after }, driver, conditions, atOnce)
    for (const row of rows) {
      if (row.matches && keys.length === limit) return { keys, next: last, isCut: false }
      if (row.matches) keys.push(row)
      if (row.matches || keys.length < limit) last = row
    }
    if (rows.length < atOnce) return { keys, next: undefined, isCut: false }
    after = rows.at(-1) ?? after
    scanned += rows.length
    atOnce = Math.min(atOnce * 4, mostAtOnce)
  }
  return { keys, next: keys.length === limit ? last : after, isCut: true }
}

function isNumbered({ number, tradeNos }: OrderFilter): boolean {
  return number !== undefined || tradeNos !== undefined
}

async function findNumberedPage(
  tx: Tx,
  merNo: Searched,
  filter: OrderFilter,
  span: Span,
  limit: number,
): Promise<Found> {
  const found = await findNumbered(tx, merNo, filter, span)
  const keys = found.slice(0, limit)
  return { keys, next: found.length > limit ? keys.at(-1) : undefined, isCut: false }
}

/**
 * Finds orders by number. Only a few orders have one of the numbers, so each order is checked against the other
 * filters.
 */
async function findNumbered(
  tx: Tx,
  merNo: Searched,
  filter: OrderFilter,
  span: Span,
): Promise<readonly Scanned[]> {
  const { number, tradeNos } = filter
  const byNumber = number === undefined ? undefined : await findByNumber(tx, merNo, number.trim())
  const wanted = new Set(tradeNos)
  const chosen = [...wanted].map((tradeNo) => ({ merNo: merNo ?? merNoOf(tradeNo) ?? -1, tradeNo }))
  const keys = byNumber?.filter(({ tradeNo }) => tradeNos === undefined || wanted.has(tradeNo)) ?? chosen
  if (keys.length === 0) return []
  const rows = await scanNumbered(tx, span, keys, conditionsOf(filter))
  return rows.filter(({ matches }) => matches)
}

function conditionsOf(filter: OrderFilter): Conditions {
  const { states, methods, currency, least, most, fingerprint } = filter
  const keys = [
    ...(filter.reference === undefined ? [] : [referenceKey(filter.reference)]),
    ...(filter.email === undefined ? [] : [emailKey(filter.email)]),
    ...(filter.name === undefined ? [] : nameKeys(filter.name)),
    ...(filter.amount === undefined ? [] : [amountKey(filter.amount)]),
    ...(filter.card === undefined ? [] : [cardKey(filter.card)]),
  ]
  return { states: states?.map(String), methods, currency, least, most, fingerprint, keys }
}

type Plan = {
  /** The keys that are scanned. An empty list scans all orders by time. */
  readonly driver: readonly string[]
  readonly conditions: Conditions
}

async function planSearch(tx: Tx, merNo: Searched, filter: OrderFilter, span: Span): Promise<Plan> {
  const { states, methods } = filter
  const conditions = conditionsOf(filter)
  const sets = [
    ...conditions.keys.map((key) => [key]),
    ...(states === undefined ? [] : [states.map(stateKey)]),
    ...(methods === undefined ? [] : [methods.map(methodKey)]),
  ]
  const driver = await mostSelective(tx, merNo, span, sets)
  const keys = conditions.keys.filter((key) => !driver.includes(key))
  return { driver, conditions: { ...conditions, keys } }
}

/** Returns the set of keys with the fewest orders. If there is only one set, nothing is counted. */
async function mostSelective(
  tx: Tx,
  merNo: Searched,
  span: Span,
  sets: readonly (readonly string[])[],
): Promise<readonly string[]> {
  let [best, fewest]: [readonly string[], number] = [sets[0] ?? [], MOST_COUNTED]
  if (sets.length < 2) return best
  for (const set of sets) {
    const found = await countUpTo(tx, merNo, span, set, MOST_COUNTED)
    if (found < fewest) [best, fewest] = [set, found]
  }
  return best
}
