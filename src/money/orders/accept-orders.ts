// Accepts payment and payout orders, which share a merchant's order numbers. An accepted order counts against its
// limits and occupies its order number. A refused order is not stored. For a batch of payments, this file is used only
// if the batch could not be accepted as a whole (payments/accept-payments.ts). For a payment by a payment link, it is
// always used.
//
// Invariants: an order number is used once, because a unique constraint decides. Acceptance never exceeds a limit,
// because the limit's usage row stays locked until the commit. A refused order gives its limits back in the same
// transaction. Lock order: usage rows by (mer_no, method, period), then the locks of `refuse`. Only one deadlock is
// possible (decision 0200): the insert of an order waits for a transaction that changes an order with the same number,
// and that transaction waits for our usage rows.

import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { giveBack, type LimitTaken, sumUsage, takeUsage, usageKey } from './limit-usage.ts'
import type { NewOrder } from './new-order.ts'
import { numberKey, type OrderOfNumber, selectOrderNumbers, selectOrderOfNumber } from './new-order.ts'

type Acceptable = Pick<NewOrder, 'merNo' | 'tradeNo' | 'merOrderNo' | 'createdAt' | 'usdValue' | 'limits'>

export type Accepting<Order extends Acceptable> = {
  /** Returns the refusals of some of these orders. Each given order fits the limits and has a free number. */
  readonly refuse?: (orders: readonly Order[]) => Promise<Map<Order, Refusal>>
  /** Inserts the orders, and returns the trade numbers of those whose order number was free. */
  readonly insert: (orders: readonly Order[]) => Promise<Set<string>>
}

/** Accepts the orders, and returns the refusal of each order that was not accepted. */
export async function acceptOrders<Order extends Acceptable>(
  tx: Tx,
  orders: readonly Order[],
  accepting: Accepting<Order>,
): Promise<Map<Order, Refusal>> {
  const { first, repeated } = splitRepeated(orders)
  const refused = await acceptDistinct(tx, first, accepting)
  for (const order of repeated) refused.set(order, tooSoon())
  return refused
}

async function acceptDistinct<Order extends Acceptable>(
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
  if (refused.size > 0) await tx.query(giveBack(sumUsage([...refused.keys()])))
  return refused
}

/** Separates the orders whose number repeats the number of an earlier order of the batch. */
function splitRepeated<Order extends Acceptable>(orders: readonly Order[]) {
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

/**
 * Returns the refusals of orders that exceed a limit. The orders are checked one by one only if the whole batch exceeds
 * a limit. In this check, an order whose number is already used does not count against the limits.
 */
async function findOverLimit<Order extends Acceptable>(
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

async function withFreeNumber<Order extends Acceptable>(tx: Tx, orders: readonly Order[]): Promise<Order[]> {
  const known = await selectOrderNumbers(tx, orders)
  return orders.filter((order) => !known.has(numberKey(order)))
}

async function refuseDuplicates<Order extends Acceptable>(
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

/** The refusal of an order number that is already used, and the order that has this number. */
export type Duplicate = { readonly refusal: Refusal; readonly first: OrderOfNumber }

/** Finds the order that already uses this number. Undefined if the number is free. */
export async function findDuplicate(
  db: Queryable,
  merNo: number,
  merOrderNo: string,
  now: Date,
): Promise<Duplicate | undefined> {
  const first = await selectOrderOfNumber(db, { merNo, merOrderNo })
  return first && { refusal: refuseDuplicate(first.createdAt, now), first }
}

const TOO_SOON_MS = 1000

/** Returns the refusal of a duplicate: code 10003 within a second of the first order, code 10009 later. */
function refuseDuplicate(firstAt: Date, now: Date): Refusal {
  return now.getTime() - firstAt.getTime() < TOO_SOON_MS ? tooSoon() : new Refusal('10009')
}

function tooSoon(): Refusal {
  return new Refusal('10003')
}
