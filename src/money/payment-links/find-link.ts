// Finds and lists payment links, their orders and their results.
import { merNoOf } from '../../platform/base/id.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { State } from '../orders/order.ts'
import { isPaid, type LinkKey, type PaymentLink } from './payment-link.ts'
import { searchLinks, selectLink, selectLinkOrders, selectLinks, sumOrders } from './sql.ts'

/** Returns the key of a link. The merchant number is read from the link id. Undefined if the text is not a link id. */
export function linkKeyOf(linkId: string): LinkKey | undefined {
  const merNo = linkId.startsWith('P') ? merNoOf(linkId) : undefined
  return merNo === undefined ? undefined : { merNo, linkId }
}

export async function findLink(db: Queryable, linkId: string): Promise<PaymentLink | undefined> {
  const key = linkKeyOf(linkId)
  return key && selectLink(db, key)
}

/** Finds links by part of the title or of the reference, newest first. */
export const findLinksNamed = searchLinks

/** Returns a page of links, newest first. `before` is the last id of the previous page. */
export const listLinks = selectLinks

/** Returns a page of a link's orders, newest first. `before` is the last trade number of the previous page. */
export const listLinkOrders = selectLinkOrders

type LinkResults = {
  readonly orders: number
  readonly open: number
  readonly paid: number
  /** The amount that was paid, in the link's currency. Refunds are not deducted. */
  readonly paidAmount: bigint
}

export async function readResults(db: Queryable, key: LinkKey): Promise<LinkResults> {
  const sums = await sumOrders(db, key)
  const paid = sums.filter(({ state }) => isPaid(state))
  const count = (some: typeof sums) => some.reduce((all, { orders }) => all + orders, 0)
  return {
    orders: count(sums),
    open: count(sums.filter(({ state }) => state === State.processing)),
    paid: count(paid),
    paidAmount: paid.reduce((all, { amount }) => all + amount, 0n),
  }
}
