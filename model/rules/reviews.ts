// The money of a payment in review belongs to nobody until an operator approves it, or the payer has the money back.
import type { Model, Order, Review } from './facts.ts'
import { pay } from './orders.ts'

export function reviewOf({ tradeNo, review }: Order): Review {
  if (review === undefined) throw new Error(`the model expects that ${tradeNo} is in review`)
  return review
}

/** An approved payment succeeds now: with the fees, margin and rate of this moment, and days counted from now. */
export function approveReview(model: Model, order: Order): void {
  reviewOf(order).state = 'approved'
  pay(order, order.price, model.rates, model.nowMs)
}

/** A rejected payment fails once the payer has the money again. */
export function rejectReview(order: Order): void {
  reviewOf(order).state = 'rejected'
  order.standing = 'failed'
}
