// Ends orders without an open attempt: the payer cancelled, or their time on our page is over.
//
// Invariant: an order with an open attempt is never ended here, because its channel decides. The order's lock, which every
// new attempt takes too, guarantees this.

import { lockOrders } from '../orders/lock-orders.ts'
import type { OrderKey } from '../orders/order.ts'
import { isBusy, type Order, State } from '../orders/order.ts'
import { changeOrders } from '../orders/write-changes.ts'
import type { Db } from '../postgres/db.ts'

export type Closing = { readonly message: string; readonly at: Date }

/** Returns how many orders were ended. */
export async function closeOrders(db: Db, keys: readonly OrderKey[], closing: Closing): Promise<number> {
  if (keys.length === 0) return 0
  return db.transaction(async (tx) => {
    const orders = [...(await lockOrders(tx, keys)).values()].filter(mayClose)
    await changeOrders(
      tx,
      orders.map((order) => ({ order, state: State.cancelled, ...closing })),
    )
    return orders.length
  })
}

function mayClose(order: Order): boolean {
  return order.kind === 'payment' && order.state === State.processing && !isBusy(order)
}
