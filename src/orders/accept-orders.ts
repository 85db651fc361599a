// What accepting an order means, whichever its kind: its limits are taken, its number is used up, or it is refused and
// leaves nothing behind. Payments and payouts share one space of order numbers.
//
// Invariants: an order number is used once for good (the unique constraint decides); a limit is never exceeded (its row is
// locked from the taking until the commit); what a refused order took is given back in the same transaction.
// Lock order: usage rows by (mer_no, method, period), then whatever `refuse` locks. New order rows wait on nobody but an
// order of the same number that is being accepted: that one holds nothing that we could hold.

import { Refusal } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { numberKey, selectOrderNumbers } from './accept-sql.ts'
import { type BoundedUsage, returnUsage, takeUsage, type UsageKey, usageKey } from './limit-usage.ts'
import type { LimitTaken, NewPayment } from './new-order.ts'

export type NewOrder = Pick<
  NewPayment,
  'merNo' | 'tradeNo' | 'merOrderNo' | 'createdAt' | 'usdValue' | 'limits'
>

export type Accepting<Order extends NewOrder> = {
  /** A last word after the limits, on orders whose number is free. */
  readonly refuse?: (orders: readonly Order[]) => Promise<Map<Order, Refusal>>
  /** The trade numbers of those whose order number was free. */
  readonly insert: (orders: readonly Order[]) => Promise<Set<string>>
}

/** The refusal of each order that was not accepted. */
export async function acceptOrders<Order extends NewOrder>(
  tx: Tx,
  orders: readonly Order[],
  accepting: Accepting<Order>,
): Promise<Map<Order, Refusal>> {
  const { first, repeated } = splitRepeated(orders)
  const refused = await acceptDistinct(tx, first, accepting)
  for (const order of repeated) refused.set(order, tooSoon())
  return refused
}

async function acceptDistinct<Order extends NewOrder>(
  tx: Tx,
  orders: readonly Order[],
  { refuse, insert }: Accepting<Order>,
): Promise<Map<Order, Refusal>> {
  const used = await takeUsage(tx, sumUsage(orders))
  const refused = await findOverLimit(tx, orders, used)
  if (refuse !== undefined) {
    const free = await withFreeNumber(
      tx,
      orders.filter((order) => !refused.has(order)),
    )
    for (const [order, refusal] of await refuse(free)) refused.set(order, refusal)
  }
  const fitting = orders.filter((order) => !refused.has(order))
  const inserted = await insert(fitting)
  const duplicates = fitting.filter((order) => !inserted.has(order.tradeNo))
  for (const [order, refusal] of await refuseDuplicates(tx, duplicates)) refused.set(order, refusal)
  if (refused.size > 0) await returnUsage(tx, sumUsage([...refused.keys()]))
  return refused
}

/** Two of one number in the same moment: the first counts. */
function splitRepeated<Order extends NewOrder>(orders: readonly Order[]) {
  const seen = new Set<string>()
  const first: Order[] = []
  const repeated: Order[] = []
  for (const order of orders) {
    const key = numberKey(order)
    if (seen.has(key)) repeated.push(order)
    else first.push(order)
    seen.add(key)
  }
  return { first, repeated }
}

/** What they take of each limit, and the bound of it. */
export function sumUsage(orders: readonly NewOrder[]): BoundedUsage[] {
  const sums = new Map<number, Sum[]>()
  for (const { limits, usdValue } of orders) {
    for (const limit of limits) {
      const known = sums.get(limit.merNo) ?? []
      if (known.length === 0) sums.set(limit.merNo, known)
      const sum = sumOf(known, limit)
      sum.used += usdValue
      if (limit.most < sum.most) sum.most = limit.most
    }
  }
  return [...sums.values()].flat()
}

type Sum = UsageKey & { used: bigint; most: bigint }

/** A merchant has few limits at a time: looking through them takes less than a key for each order. */
function sumOf(known: Sum[], { merNo, method, period, most }: LimitTaken): Sum {
  for (const sum of known) if (sum.period === period && sum.method === method) return sum
  const sum = { merNo, method, period, used: 0n, most }
  known.push(sum)
  return sum
}

/**
 * Takes for all at once. Only when a limit came out exceeded are its orders
 * gone through one by one, leaving out the numbers used before: those take nothing.
 */
async function findOverLimit<Order extends NewOrder>(
  tx: Tx,
  orders: readonly Order[],
  used: ReadonlyMap<string, bigint>,
): Promise<Map<Order, Refusal>> {
  const exceeded = (limit: LimitTaken) => (used.get(usageKey(limit)) ?? 0n) > limit.most
  if (!orders.some((order) => order.limits.some(exceeded))) return new Map()
  const free = new Map(used)
  for (const { merNo, method, period, used: taken } of sumUsage(orders)) {
    const key = usageKey({ merNo, method, period })
    free.set(key, (free.get(key) ?? 0n) - taken)
  }
  const refused = new Map<Order, Refusal>()
  for (const order of await withFreeNumber(tx, orders)) {
    const over = order.limits.find((limit) => (free.get(usageKey(limit)) ?? 0n) + order.usdValue > limit.most)
    if (over !== undefined) refused.set(order, new Refusal(over.code))
    else
      for (const limit of order.limits)
        free.set(usageKey(limit), (free.get(usageKey(limit)) ?? 0n) + order.usdValue)
  }
  return refused
}

async function withFreeNumber<Order extends NewOrder>(tx: Tx, orders: readonly Order[]): Promise<Order[]> {
  const known = await selectOrderNumbers(tx, orders)
  return orders.filter((order) => !known.has(numberKey(order)))
}

async function refuseDuplicates<Order extends NewOrder>(
  tx: Tx,
  duplicates: readonly Order[],
): Promise<Map<Order, Refusal>> {
  if (duplicates.length === 0) return new Map()
  const known = await selectOrderNumbers(tx, duplicates)
  return new Map(
    duplicates.map((order) => {
      const createdAt = known.get(numberKey(order))
      return [order, refuseDuplicate(createdAt ?? order.createdAt, order.createdAt)]
    }),
  )
}

const TOO_SOON_MS = 1000

/** 10003 within a second of the first, 10009 for good after that. */
export function refuseDuplicate(firstAt: Date, now: Date): Refusal {
  return now.getTime() - firstAt.getTime() < TOO_SOON_MS ? tooSoon() : new Refusal('10009')
}

function tooSoon(): Refusal {
  return new Refusal('10003')
}
