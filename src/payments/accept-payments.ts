// Accepts payment orders, many in one transaction: takes their limits, inserts orders, details, and their
// first attempts or their places on our pages.
import type { Db } from '../base/db.ts'
import type { Refusal } from '../base/error.ts'
import { acceptOrders, refuseDuplicate } from './accept-orders.ts'
import type { NewPayment } from './new-payment.ts'
import { insertPayments, numberKey, selectOrderNumbers } from './sql.ts'

export type Accepted = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly refusal: Refusal }

const ACCEPTED: Accepted = { kind: 'accepted' }

export async function acceptPayments(db: Db, payments: readonly NewPayment[]): Promise<Accepted[]> {
  const refused = await db.transaction((tx) =>
    acceptOrders(tx, payments, { insert: (fitting) => insertPayments(tx, fitting) }),
  )
  return payments.map((payment) => {
    const refusal = refused.get(payment)
    return refusal === undefined ? ACCEPTED : { kind: 'refused', refusal }
  })
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
