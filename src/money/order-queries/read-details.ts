import { isObject } from '../../platform/base/object.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { type Details, sealContext } from '../orders/new-order.ts'
import type { OrderKey, StateNumber } from '../orders/order.ts'

/** Returns the request's fields that have no column of their own, as they were sent, with personal fields decrypted. */
export async function readWholeDetails(
  { db, vault }: { readonly db: Queryable; readonly vault: Vault },
  key: OrderKey,
): Promise<{ readonly details: Details; readonly personal: Details }> {
  const row = await selectDetails(db, key)
  const sealed = row?.sealed ?? undefined
  const personal = sealed && vault.open(sealed, sealContext(key.tradeNo))
  return { details: readObject(row?.details), personal: readObject(personal) }
}

function readObject(text = '{}'): Details {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}

async function selectDetails(db: Queryable, { merNo, tradeNo }: OrderKey) {
  const [row] = await db.query<{ details: string; sealed: Buffer | null }>({
    name: 'payments.details',
    text: 'select details, sealed from order_details where mer_no = $1 and trade_no = $2',
    values: [merNo, tradeNo],
  })
  return row
}

export type OrderMoney = {
  readonly state: StateNumber
  readonly currency: string
  readonly amount: bigint
  readonly received: bigint | null
  readonly refunded: bigint
  readonly exceptionFees: bigint
  readonly marginHeld: bigint
  readonly settledAt: Date | null
}

export async function readOrderMoney(
  db: Queryable,
  { merNo, tradeNo }: OrderKey,
): Promise<OrderMoney | undefined> {
  const [row] = await db.query<OrderMoney>({
    text: `select state, currency, amount, received, refunded, exception_fees as "exceptionFees",
        margin_held as "marginHeld", settled_at as "settledAt"
      from orders where mer_no = $1 and trade_no = $2 and kind = 'payment'`,
    values: [merNo, tradeNo],
  })
  return row
}
