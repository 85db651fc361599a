// Accepts payment orders, many in one transaction: takes their limits, inserts orders, details, and their
// first attempts or their places on our pages.
//
// Nearly always all of them fit: they are written at once, in statements that fail when a limit would be exceeded or an
// order number is used. Only then is it found out, one by one and under locks, which of them it is.

import type { Refusal } from '../errors/catalogue.ts'
import { acceptOrders, refuseDuplicate, sumUsage } from '../orders/accept-orders.ts'
import {
  insertAll,
  insertPayments,
  numberKey,
  ORDER_NUMBER,
  selectOrderNumbers,
} from '../orders/accept-sql.ts'
import { takeWithin } from '../orders/limit-usage.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { type Db, isPreconditionFailed, isTaken } from '../postgres/db.ts'

export type Accepted = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly refusal: Refusal }

const ACCEPTED: Accepted = { kind: 'accepted' }

export async function acceptPayments(db: Db, payments: readonly NewPayment[]): Promise<Accepted[]> {
  if (await acceptAll(db, payments)) return payments.map(() => ACCEPTED)
  const refused = await db.transaction((tx) =>
    acceptOrders(tx, payments, { insert: (fitting) => insertPayments(tx, fitting) }),
  )
  return payments.map((payment) => {
    const refusal = refused.get(payment)
    return refusal === undefined ? ACCEPTED : { kind: 'refused', refusal }
  })
}

/** False when not all of them can be accepted: nothing was written then. */
async function acceptAll(db: Db, payments: readonly NewPayment[]): Promise<boolean> {
  const usages = sumUsage(payments)
  const taking = usages.length === 0 ? [] : [takeWithin(usages)]
  try {
    await db.atOnce([...taking, ...insertAll(payments)], { byKey: true })
    return true
  } catch (error) {
    if (isPreconditionFailed(error) || isTaken(error, ORDER_NUMBER)) return false
    throw error
  }
}

/** What to answer when the number was used before; undefined when it is free. */
export async function findDuplicate(
  db: Db,
  merNo: number,
  merOrderNo: string,
  now: Date,
): Promise<Refusal | undefined> {
  const known = await selectOrderNumbers(db, [{ merNo, merOrderNo }])
  const firstAt = known.get(numberKey({ merNo, merOrderNo }))
  return firstAt === undefined ? undefined : refuseDuplicate(firstAt, now)
}
