// The payments and payouts that the rows of a queue are about. The rows show them, so that nobody decides by a trade
// number alone. Only people who may see orders get the payments, and only people who may see payouts get the payouts.
import type { Static } from 'typebox'
import { readOrders } from '../../../money/order-queries/search/scan-orders.ts'
import type { OrderKey } from '../../../money/orders/order.ts'
import { findPayouts } from '../../../money/payouts/find-payout.ts'
import type { Caller } from '../../../people/roles/caller.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { money } from '../money.ts'
import type { OrderBrief } from '../schemas.ts'

export type Briefs = ReadonlyMap<string, Static<typeof OrderBrief>>

/**
 * Returns the payments and payouts with these keys, by trade number. The caller passes at most the keys of one page.
 */
export async function briefsOf(
  db: Queryable,
  { permissions }: Pick<Caller, 'permissions'>,
  keys: readonly { readonly merNo: number; readonly tradeNo?: string | undefined }[],
): Promise<Briefs> {
  const wanted = keys.flatMap(({ merNo, tradeNo }) => (tradeNo === undefined ? [] : { merNo, tradeNo }))
  const payments = permissions.has('orders.read') ? await readPayments(db, wanted) : []
  const payouts = permissions.has('payouts.read') ? await readPayouts(db, wanted) : []
  return new Map([...payments, ...payouts].map((one) => [one.tradeNo, one]))
}

async function readPayments(db: Queryable, keys: readonly OrderKey[]): Promise<Static<typeof OrderBrief>[]> {
  if (keys.length === 0) return []
  return (await readOrders(db, keys)).map((one) => {
    const { tradeNo, merOrderNo, payerName, email, method, amount, currency } = one
    return { tradeNo, merOrderNo, person: payerName || email, method, money: money(amount, currency) }
  })
}

async function readPayouts(db: Queryable, keys: readonly OrderKey[]): Promise<Static<typeof OrderBrief>[]> {
  if (keys.length === 0) return []
  return (await findPayouts(db, keys)).map((one) => {
    const { tradeNo, merOrderNo, beneficiary: person, kind: method, amount, currency } = one
    return { tradeNo, merOrderNo, person, method, money: { amount, currency } }
  })
}

/** Returns the field `order` of a row. The field is missing if the caller may not see the order. */
export function orderIn(
  briefs: Briefs,
  tradeNo: string | undefined,
): { readonly order?: Static<typeof OrderBrief> } {
  const order = tradeNo === undefined ? undefined : briefs.get(tradeNo)
  return order === undefined ? {} : { order }
}
