// The fields of an order's request that have no separate column.

import { isObject } from '../base/object.ts'
import type { Vault } from '../base/secret.ts'
import { type Details, sealContext } from '../orders/new-order.ts'
import type { OrderKey } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'

/** The fields as they were sent, with personal numbers decrypted. */
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
