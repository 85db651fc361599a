// A customer: all orders of a merchant that have the same e-mail address or the same card.
import { readOrders } from '../../../money/order-queries/search/scan-orders.ts'
import { type Customer, sumCustomer } from '../../../money/order-queries/search/sum-customer.ts'
import type { OrderKey } from '../../../money/orders/order.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { money } from '../money.ts'

export type CustomerKind = 'email' | 'card'

export async function findCustomer(
  db: Db,
  key: OrderKey,
  by: CustomerKind,
): Promise<{ readonly customer: Customer; readonly brand: string }> {
  const [order] = await readOrders(db, [key])
  if (order === undefined) throw new Problem('not-found', 'There is no such order.')
  const { email, cardBrand, cardLast4: card, cardFingerprint: fingerprint } = order
  if (by === 'email' && email !== '') return { customer: { email }, brand: '' }
  if (by === 'card' && card !== null && fingerprint !== null)
    return { customer: { card, fingerprint }, brand: cardBrand ?? '' }
  throw new Problem('not-found', `The order has no ${by === 'email' ? 'e-mail address' : 'card'}.`)
}

/** Returns the head of the customer's page: the customer's identity, and sums by currency. */
export async function viewCustomer(db: Db, key: OrderKey, by: CustomerKind) {
  const { customer, brand } = await findCustomer(db, key, by)
  const { sums, isCut } = await sumCustomer(db, key.merNo, customer)
  return {
    ...('email' in customer ? { email: customer.email } : { card: { brand, last4: customer.card } }),
    sums: sums.map(({ currency, orders, failed, paid, refunded, disputed }) => ({
      orders,
      failed,
      paid: money(paid, currency),
      refunded: money(refunded, currency),
      disputed: money(disputed, currency),
    })),
    isCut,
  }
}
