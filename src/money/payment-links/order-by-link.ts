// Makes the order of somebody who opened a payment link, as the cashier endpoints do.
//
// Invariant: of a link for one use, at most one order is paid. A new order needs the link's lock, and the order before it must
// have ended unpaid, which is final. The order is accepted in the transaction that claims the link, so neither exists without
// the other.
// Lock order: the link, then usage rows by key.
import { randomInt } from 'node:crypto'
import type { Gate } from '../concurrency/gate.ts'
import { Refusal } from '../errors/catalogue.ts'
import { type Merchant, mayDo } from '../merchants/merchant.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import type { HostedPayment } from '../orders/new-order.ts'
import { acceptUnderLocks } from '../payments/accept-payments.ts'
import { pageEnds } from '../payments/hosted/page-ends.ts'
import { prepareHosted } from '../payments/hosted/prepare-hosted.ts'
import type { PaymentOrder, PrepareDeps } from '../payments/prepare-payment.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { type LinkStatus, type PaymentLink, statusOf, wireAmount } from './payment-link.ts'
import { countOpenOrders, insertLinkOrder, lockLink } from './sql.ts'

export type OrderByLinkDeps = PrepareDeps & { readonly db: Db; readonly gate: Pick<Gate, 'countOf'> }

export type Ordered =
  /** The order's page, and until when its link opens it. */
  | { readonly kind: 'order'; readonly tradeNo: string; readonly pageEndsAt: Date }
  | { readonly kind: 'ended'; readonly status: Exclude<LinkStatus, 'active' | 'claimed'> }
  /** Too many orders of the link wait for their payers. */
  | { readonly kind: 'full' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** A stranger could otherwise use up the merchant's limits with orders that nobody pays. */
export const MOST_OPEN = 1_000

/** `amount`: within the link's bounds. */
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
  const [accepted] = await acceptUnderLocks(tx, [payment])
  if (accepted?.kind === 'refused') return accepted
  await insertLinkOrder(tx, link, payment.tradeNo, at)
  const { expiresAt } = payment.hosted
  return { kind: 'order', tradeNo: payment.tradeNo, pageEndsAt: pageEnds(expiresAt, link.method) }
}

/** A payer who opens the link of an order that still waits continues that order. */
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

/** Letters and digits that cannot be taken for one another, because payers read the number to the merchant. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const NUMBER_LENGTH = 12

function orderNumber(): string {
  const characters = Array.from({ length: NUMBER_LENGTH }, () => alphabet.charAt(randomInt(alphabet.length)))
  return `PL-${characters.join('')}`
}
