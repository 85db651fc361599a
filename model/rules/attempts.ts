// The rules for a payer's attempts. An order by `/payment` has one attempt. On our pages, a payer may try again after a
// decline.
import { holdBack } from './deposits.ts'
import type { Link, Model, Order } from './facts.ts'
import { platformRefusal } from './limits.ts'
import { type Method, payersTimeMs } from './methods.ts'
import { isBusy, needsReview, termsAtAcceptance } from './orders.ts'

export const PAGE_MS = 30 * 60_000
const MOST_ATTEMPTS = 5
const GRACE_MS = 10 * 60_000
const DAY_MS = 24 * 3_600_000

/**
 * True if the payer may begin an attempt: the time on the page is not over, the latest attempt is decided, and there
 * were fewer than five attempts.
 */
export function mayBegin({ nowMs }: Model, order: Order): boolean {
  const { standing, pageEndsMs, tries } = order
  const isInTime = pageEndsMs !== undefined && nowMs < pageEndsMs
  return standing === 'open' && isInTime && !isBusy(order) && tries.length < MOST_ATTEMPTS
}

/**
 * Returns the refusal of an attempt that would exceed the platform's limits for its method. An order that already
 * counts against these limits is not checked again.
 */
export function refusalOfMethod(model: Model, order: Order, method: Method): string | undefined {
  const { isPlatformLimited, value, day } = order
  if (isPlatformLimited && order.method === method) return undefined
  return platformRefusal(model, { method, value, day })
}

/**
 * Begins an attempt on the merchant's current terms. If the method stays the same, an order that counts against the
 * platform's limits for this method still counts. An order that a person picked for review stays picked.
 */
export function beginAttempt(model: Model, order: Order, method: Method): void {
  const { shop, currency, price } = order
  const terms = termsAtAcceptance(model, shop, { method, currency })
  const isCounted = order.isPlatformLimited && order.method === method
  const isPicked = order.isReviewed && !needsReview(shop, order.method, price)
  order.tries.push({ ...terms, isPlatformLimited: isCounted || terms.isPlatformLimited })
  Object.assign(order, { attempt: 'unknown', attemptMs: model.nowMs }, order.tries.at(-1))
  order.isReviewed = isPicked || needsReview(shop, method, price)
}

export function mayTryAgain({ pageEndsMs, tries }: Order): boolean {
  return pageEndsMs !== undefined && tries.length < MOST_ATTEMPTS
}

export function declineAttempt(model: Model, order: Order): void {
  endAttempt(model, order)
  if (!mayTryAgain(order)) order.standing = 'failed'
}

/** Holds the deposits of a failed attempt in suspense, because they fell short of the price. */
function endAttempt(model: Model, order: Order): void {
  order.attempt = 'failed'
  for (const deposit of order.deposits.splice(0)) holdBack(model, order, deposit, 'short')
}

/** Cancels the attempt. Also cancels the order, unless the payer wants and may begin another attempt on our page. */
export function cancelAttempt(model: Model, order: Order, { wantsAnother = false } = {}): void {
  endAttempt(model, order)
  if (!wantsAnother || !mayTryAgain(order)) order.standing = 'cancelled'
}

/** The channel does not answer: the outcome is unknown, but a pending attempt still waits for its payer. */
export function hearNothing(order: Order): void {
  if (order.attempt !== 'pending') order.attempt = 'unknown'
}

/**
 * True if an operator may decide the attempt. An attempt with an unknown outcome may be decided at any time. A pending
 * attempt may be decided one day after the payer's time for the method has ended.
 */
export function mayDecideAttempt({ nowMs }: Model, { method, attempt, attemptMs }: Order): boolean {
  return attempt === 'unknown' || nowMs > attemptMs + payersTimeMs(method) + DAY_MS
}

/** Cancels an open order whose attempts are all decided. */
export function leavePage(order: Order): void {
  if (order.standing === 'open' && !isBusy(order)) order.standing = 'cancelled'
}

/**
 * Cancels orders whose time on our page is over. An undecided attempt keeps its order open, and gives the payer ten
 * more minutes to try again if the attempt fails.
 */
export function closePages({ orders, nowMs }: Model): void {
  for (const order of orders) {
    if (order.standing !== 'open' || order.pageEndsMs === undefined || nowMs < order.pageEndsMs) continue
    leavePage(order)
    if (order.standing === 'open') order.pageEndsMs = nowMs + GRACE_MS
  }
}

/**
 * Returns what a link leads to: `ended`, its order that is open or in review, or a `new` order. A link for one use
 * leads to at most one paid order.
 */
export function openLink({ nowMs }: Model, { uses, endsMs, isOff, orders }: Link): 'ended' | 'new' | Order {
  const latest = uses === 'one' ? orders.at(-1) : undefined
  if (latest?.standing === 'paid' || isOff || (endsMs !== undefined && endsMs <= nowMs)) return 'ended'
  return latest?.standing === 'open' || latest?.standing === 'in review' ? latest : 'new'
}
