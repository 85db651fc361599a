// Makes an order for a payer who opened a payment link. The cashier endpoints make such an order at a merchant's
// request.
//
// Invariant: at most one order of a single-use link is paid, unless an operator accepts late money of an order that
// ended unpaid. A new order needs the link's lock, and the previous order must have ended unpaid. The transaction that
// accepts the order also stores in the link that this order claims it.
//
// Lock order: the link, then usage rows by key.
import { randomInt } from 'node:crypto'
import { wireAmount } from '../../platform/base/money.ts'
import type { Gate } from '../../platform/concurrency/gate.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { type Merchant, mayDo } from '../merchants/merchant.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import type { HostedPayment } from '../orders/new-order.ts'
import { acceptUnderLocks } from '../payments/accept-payments.ts'
import { pageEnds, prepareHosted } from '../payments/hosted/prepare-hosted.ts'
import type { PaymentOrder, PrepareDeps } from '../payments/prepare-payment.ts'
import { type LinkStatus, type PaymentLink, statusOf } from './payment-link.ts'
import { countOpenOrders, insertLinkOrder, lockLink } from './sql.ts'

export type OrderByLinkDeps = PrepareDeps & { readonly db: Db; readonly gate: Pick<Gate, 'countOf'> }

export type Ordered =
  /** The order whose page is shown to the payer. The address of that page expires at `pageEndsAt`. */
  | { readonly kind: 'order'; readonly tradeNo: string; readonly pageEndsAt: Date }
  | { readonly kind: 'ended'; readonly status: Exclude<LinkStatus, 'active' | 'claimed'> }
  | { readonly kind: 'full' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * A link accepts no further order while this many of its newest orders are all open. Otherwise orders that nobody pays
 * could use up the merchant's limits.
 */
export const MOST_OPEN = 1_000

/**
 * Makes an order, or returns the open order of a single-use link. The caller has checked that `amount` is within the
 * link's bounds.
 */
export async function orderByLink(
  deps: OrderByLinkDeps,
  merchant: Merchant,
  link: PaymentLink,
  amount: bigint,
): Promise<Ordered> {
  try {
    if (!mayDo(merchant.state, 'pay')) throw new Refusal('10005')
    const payment = await prepareHosted(deps, merchant, link.method, orderOf(link, amount))
    return await deps.gate.countOf(merchant.merNo, () =>
      deps.db.transaction((tx) => place(tx, link, payment)),
    )
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}

async function place(tx: Tx, { merNo, linkId, uses }: PaymentLink, payment: HostedPayment): Promise<Ordered> {
  const link = await lockLink(tx, { merNo, linkId }, uses === 'one' ? 'for update' : 'for share')
  const at = payment.createdAt
  if (link === undefined) return { kind: 'ended', status: 'off' }
  const status = statusOf(link, at)
  if (status !== 'active' && status !== 'claimed') return { kind: 'ended', status }
  if (link.claim !== undefined && status === 'claimed') return pageOf(tx, link, link.claim.tradeNo, at)
  if ((await countOpenOrders(tx, link, MOST_OPEN)) >= MOST_OPEN) return { kind: 'full' }
  // The order does not go through the batch of `/payment`. That batch's transaction contains orders of many merchants,
  // and must never wait for the lock of one link.
  const [accepted] = await acceptUnderLocks(tx, [payment])
  if (accepted?.kind === 'refused') return accepted
  await insertLinkOrder(tx, link, payment.tradeNo, at)
  const { expiresAt } = payment.hosted
  return { kind: 'order', tradeNo: payment.tradeNo, pageEndsAt: pageEnds(expiresAt, link.method) }
}

/** Returns the page of the link's open order, so that a payer who opens the link again continues the same order. */
async function pageOf(tx: Tx, { merNo, method }: PaymentLink, tradeNo: string, now: Date): Promise<Ordered> {
  const order = await findPayment(tx, { merNo, tradeNo })
  return { kind: 'order', tradeNo, pageEndsAt: pageEnds(order?.hosted?.expiresAt ?? now, method) }
}

function orderOf(link: PaymentLink, amount: bigint): PaymentOrder {
  const { currency, title, language, reference, linkId } = link
  const price = wireAmount({ amount, currency })
  return {
    merOrderNo: orderNumber(),
    currencyCode: currency,
    sourceAmount: price,
    returnUrl: '',
    notifyUrl: link.notifyUrl,
    protestNotifyUrl: '',
    card: undefined,
    personal: {},
    details: {
      productInfoList: [{ sku: 'link', productName: title, price, quantity: '1' }],
      productName: title,
      ...(language !== '' && { language }),
      ...(reference !== '' && { reference }),
      paymentLink: linkId,
    },
  }
}

/** Letters and digits that are not easily confused, because payers read the order number to the merchant. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const NUMBER_LENGTH = 12

function orderNumber(): string {
  const characters = Array.from({ length: NUMBER_LENGTH }, () => alphabet.charAt(randomInt(alphabet.length)))
  return `PL-${characters.join('')}`
}
