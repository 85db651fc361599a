// A payer's attempts. An order by `/payment` has one attempt. On our pages, a payer may try again after a decline.
import { holdBack } from './deposits.ts'
import type { Link, Model, Order } from './facts.ts'
import { platformRefusal } from './limits.ts'
import { type Method, payersTimeMs } from './methods.ts'
import { isBusy, needsReview, termsAtAcceptance } from './orders.ts'

export const PAGE_MS = 30 * 60_000
const MOST_ATTEMPTS = 5
const GRACE_MS = 10 * 60_000
const DAY_MS = 24 * 3_600_000

/** True if the payer may begin an attempt: in time, after the latest attempt was decided, and at most five times. */
export function mayBegin({ nowMs }: Model, order: Order): boolean {
  const { standing, pageEndsMs, tries } = order
  const isInTime = pageEndsMs !== undefined && nowMs < pageEndsMs
  return standing === 'open' && isInTime && !isBusy(order) && tries.length < MOST_ATTEMPTS
}

/** An order counts against the platform's limits for its method from the first attempt with this method. */
export function refusalOfMethod(model: Model, order: Order, method: Method): string | undefined {
  const { isPlatformLimited, value, day } = order
  if (isPlatformLimited && order.method === method) return undefined
  return platformRefusal(model, { method, value, day })
}

/**
 * An attempt gets the terms that the merchant has when the attempt begins. An order that counts against the platform's
 * limits still does if it is tried again with the same method. An order that a person picked for review stays picked.
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

/** Deposits of an attempt that ends without enough money are held in suspense: they fell short. */
function endAttempt(model: Model, order: Order): void {
  order.attempt = 'failed'
  for (const deposit of order.deposits.splice(0)) holdBack(model, order, deposit, 'short')
}

/** Cancelling an attempt cancels the order, unless the payer wants to pay in another way on our page. */
export function cancelAttempt(model: Model, order: Order, { wantsAnother = false } = {}): void {
  endAttempt(model, order)
  if (!wantsAnother || !mayTryAgain(order)) order.standing = 'cancelled'
}

/** An attempt that waits for its payer still waits if the channel does not answer. */
export function hearNothing(order: Order): void {
  if (order.attempt !== 'pending') order.attempt = 'unknown'
}

/**
 * An operator may decide an attempt whose outcome is unknown. A payer has a time for each attempt, which depends on the
 * method. A day after that, an operator may also decide a pending attempt.
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
 * Returns where a link leads: to its end, to its order that is open or in review, or to a new order. A link for one use
 * leads to at most one paid order.
 */
export function openLink({ nowMs }: Model, { uses, endsMs, isOff, orders }: Link): 'ended' | 'new' | Order {
  const latest = uses === 'one' ? orders.at(-1) : undefined
  if (latest?.standing === 'paid' || isOff || (endsMs !== undefined && endsMs <= nowMs)) return 'ended'
  return latest?.standing === 'open' || latest?.standing === 'in review' ? latest : 'new'
}
