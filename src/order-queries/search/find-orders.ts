// Finds a merchant's payments by any combination of filters, newest first, page by page.
//
// The filter with the fewest orders drives: its keys are scanned in order of time, and each order is checked for the others.
// A page scans a bounded number of orders. If the bound comes before the page is full, the page is short, and the next one
// goes on from there: a search over a million orders costs as much as over a thousand.

import { type Db, inKeyOrder, type Tx } from '../../postgres/db.ts'
import {
  type Conditions,
  countUpTo,
  findByNumber,
  readRows,
  type Span,
  scan,
  scanNumbered,
} from './find-sql.ts'
import type { FoundOrder, Position } from './found-order.ts'
import { amountKey, cardKey, emailKey, methodKey, nameKeys, referenceKey, stateKey } from './keys.ts'

export type OrderFilter = {
  /** Ours or the merchant's; the other filters still apply. */
  readonly number?: string | undefined
  readonly email?: string | undefined
  readonly name?: string | undefined
  /** The last four digits. */
  readonly card?: string | undefined
  /** A decimal, in any currency. */
  readonly amount?: string | undefined
  readonly reference?: string | undefined
  readonly states?: readonly number[] | undefined
  readonly methods?: readonly string[] | undefined
  readonly currency?: string | undefined
  /** In minor units of `currency`. */
  readonly least?: bigint | undefined
  readonly most?: bigint | undefined
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
}

export type OrderPage = {
  readonly orders: readonly FoundOrder[]
  /** Where the next page begins; undefined on the last one. */
  readonly next: Position | undefined
  /** Whether the page ended because it had looked at as many orders as it may. */
  readonly isCut: boolean
}

/** Maximum orders that a page looks at. */
const MOST_SCANNED = 5_000
const MOST_AT_ONCE = 2_000
/** Counting the orders of a key stops here: beyond it, all are equally unselective. */
const MOST_COUNTED = 300

export function findOrders(
  db: Db,
  merNo: number,
  filter: OrderFilter,
  after: Position | undefined,
  limit: number,
): Promise<OrderPage> {
  return db.transaction(async (tx) => {
    await tx.query({ text: inKeyOrder })
    const span = spanOf(filter, after)
    const found =
      filter.number === undefined
        ? await findPage(tx, merNo, filter, span, limit)
        : { tradeNos: await findNumbered(tx, merNo, filter, span), next: undefined, isCut: false }
    const orders = found.tradeNos.length === 0 ? [] : await readRows(tx, merNo, found.tradeNos)
    return { orders, next: found.next, isCut: found.isCut }
  })
}

/** The end of time, for PostgreSQL and for JavaScript. */
const LAST = new Date(8.64e15 / 1000)
const FIRST = new Date(0)

function spanOf({ from = FIRST, until }: OrderFilter, after: Position | undefined): Span {
  const end = { createdAt: until ?? LAST, tradeNo: '' }
  return { from, after: after === undefined || after.createdAt >= end.createdAt ? end : after }
}

type Found = {
  readonly tradeNos: readonly string[]
  readonly next: Position | undefined
  readonly isCut: boolean
}

async function findPage(
  tx: Tx,
  merNo: number,
  filter: OrderFilter,
  span: Span,
  limit: number,
): Promise<Found> {
  const { driver, conditions } = await planSearch(tx, merNo, filter, span)
  const tradeNos: string[] = []
  let [after, atOnce, scanned, last] = [span.after, limit + 1, 0, span.after]
  while (scanned < MOST_SCANNED) {
    const rows = await scan(tx, merNo, { ...span, after }, driver, conditions, atOnce)
    for (const row of rows) {
      if (row.matches && tradeNos.length === limit) return { tradeNos, next: last, isCut: false }
      if (row.matches) tradeNos.push(row.tradeNo)
      if (row.matches || tradeNos.length < limit) last = row
    }
    if (rows.length < atOnce) return { tradeNos, next: undefined, isCut: false }
    after = rows.at(-1) ?? after
    scanned += rows.length
    atOnce = Math.min(atOnce * 4, MOST_AT_ONCE)
  }
  return { tradeNos, next: tradeNos.length === limit ? last : after, isCut: true }
}

/** An order number is unique, so the other filters are checked on one order. */
async function findNumbered(tx: Tx, merNo: number, filter: OrderFilter, span: Span): Promise<string[]> {
  const numbered = await findByNumber(tx, merNo, filter.number?.trim() ?? '')
  if (numbered.length === 0) return []
  const rows = await scanNumbered(tx, merNo, span, numbered, conditionsOf(filter))
  return rows.filter(({ matches }) => matches).map(({ tradeNo }) => tradeNo)
}

function conditionsOf(filter: OrderFilter): Conditions {
  const { states, methods, currency, least, most } = filter
  const keys = [
    ...(filter.reference === undefined ? [] : [referenceKey(filter.reference)]),
    ...(filter.email === undefined ? [] : [emailKey(filter.email)]),
    ...(filter.name === undefined ? [] : nameKeys(filter.name)),
    ...(filter.amount === undefined ? [] : [amountKey(filter.amount)]),
    ...(filter.card === undefined ? [] : [cardKey(filter.card)]),
  ]
  return { states: states?.map(String), methods, currency, least, most, keys }
}

type Plan = {
  /** The keys that are scanned; none: all orders, by time. */
  readonly driver: readonly string[]
  readonly conditions: Conditions
}

async function planSearch(tx: Tx, merNo: number, filter: OrderFilter, span: Span): Promise<Plan> {
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

/** The set of keys with the fewest orders. With one set there is nothing to compare. */
async function mostSelective(
  tx: Tx,
  merNo: number,
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
