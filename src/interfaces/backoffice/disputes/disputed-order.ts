// The order behind a dispute, for the person who looks for evidence: the payer, the card, the products, the delivery,
// the result of 3-D Secure, and the payer's earlier orders.
import type { Static } from 'typebox'
import { findChallenge } from '../../../money/order-queries/find-attempts.ts'
import { readWholeDetails } from '../../../money/order-queries/read-details.ts'
import { findOrders } from '../../../money/order-queries/search/find-orders.ts'
import { readOrders } from '../../../money/order-queries/search/scan-orders.ts'
import type { OrderKey } from '../../../money/orders/order.ts'
import { isObject } from '../../../platform/base/object.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { listDetails, toRow } from '../orders/view-order.ts'
import type { DisputedOrder, Product } from './api.ts'

export type DisputedOrderDeps = { readonly db: Db; readonly vault: Vault }

const MOST_EARLIER = 10
const MOST_PRODUCTS = 50

/** Returns the order. The caller must have checked that the person may see orders. */
export async function readDisputedOrder(
  { db, vault }: DisputedOrderDeps,
  key: OrderKey,
  forOperator: boolean,
): Promise<Static<typeof DisputedOrder> | undefined> {
  const [order] = await readOrders(db, [key])
  if (order === undefined) return undefined
  const { email, createdAt: until } = order
  const [{ details }, threeDSecure, earlier] = await Promise.all([
    readWholeDetails({ db, vault }, key),
    findChallenge(db, key),
    email === ''
      ? []
      : findOrders(db, key.merNo, { email, until }, undefined, MOST_EARLIER).then((one) => one.orders),
  ])
  return {
    order: toRow(order, forOperator),
    details: listDetails(details),
    products: listProducts(details.productInfoList ?? details.productInfo),
    ...(threeDSecure !== undefined && { threeDSecure }),
    earlier: earlier.map((one) => toRow(one, forOperator)),
  }
}

/** The products as the merchant sent them. A product without a name is left out. */
function listProducts(list: unknown): Static<typeof Product>[] {
  if (!Array.isArray(list)) return []
  const products = list.slice(0, MOST_PRODUCTS).filter(isObject)
  return products.flatMap(({ productName, sku, price, quantity }) => {
    const name = inText(productName)
    return name === '' ? [] : { name, sku: inText(sku), price: inText(price), quantity: inText(quantity) }
  })
}

function inText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
