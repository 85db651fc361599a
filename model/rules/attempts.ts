// A payer's attempts. An order by `/payment` has one attempt. On our pages, a payer may try again after a decline.
import type { Link, Model, Order } from './facts.ts'
import { termsAtAcceptance } from './orders.ts'

export const PAGE_MS = 30 * 60_000
const MOST_ATTEMPTS = 5
const GRACE_MS = 10 * 60_000
const DAY_MS = 24 * 3_600_000

export function isBusy({ attempt }: Order): boolean {
  return attempt === 'pending' || attempt === 'unknown'
}

/** True if the payer may begin an attempt: in time, after the latest attempt was decided, and at most five times. */
export function mayBegin({ nowMs }: Model, order: Order): boolean {
  const { standing, pageEndsMs, tries } = order
  const isInTime = pageEndsMs !== undefined && nowMs < pageEndsMs
  return standing === 'open' && isInTime && !isBusy(order) && tries.length < MOST_ATTEMPTS
}

/** An attempt gets the terms that the merchant has when the attempt begins. */
export function beginAttempt({ nowMs }: Model, order: Order, method: 'card'): void {
  const terms = termsAtAcceptance(order.shop, order.currency)
  order.tries.push(terms)
  Object.assign(order, { attempt: 'unknown', attemptMs: nowMs, method, ...terms })
}

export function mayTryAgain({ pageEndsMs, tries }: Order): boolean {
  return pageEndsMs !== undefined && tries.length < MOST_ATTEMPTS
}

export function declineAttempt(order: Order): void {
  order.attempt = 'failed'
  if (!mayTryAgain(order)) order.standing = 'failed'
}

/** Cancelling an attempt cancels the order, unless the payer wants to pay in another way on our page. */
export function cancelAttempt(order: Order, { wantsAnother = false } = {}): void {
  order.attempt = 'failed'
  if (!wantsAnother || !mayTryAgain(order)) order.standing = 'cancelled'
}

/** An attempt that waits for its payer still waits if the channel does not answer. */
export function hearNothing(order: Order): void {
  if (order.attempt !== 'pending') order.attempt = 'unknown'
}

/**
 * An operator may decide an attempt whose outcome is unknown. A payer has half an hour for an attempt. A day after
 * that, an operator may also decide a pending attempt.
 */
export function mayDecideAttempt({ nowMs }: Model, { attempt, attemptMs }: Order): boolean {
  return attempt === 'unknown' || nowMs > attemptMs + PAGE_MS + DAY_MS
}

/** Cancels an open order without an undecided attempt. */
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
