// The money of a payment in review does not belong to the merchant until an operator approves the payment. A rejected
// payment fails when the payer has the money back.
import type { Model, Order, Review } from './facts.ts'
import { pay } from './orders.ts'

export function reviewOf({ tradeNo, review }: Order): Review {
  if (review === undefined) throw new Error(`the model expects that ${tradeNo} is in review`)
  return review
}

/** An approved payment succeeds now: with the current fees, margin and rate, and with due days counted from now. */
export function approveReview(model: Model, order: Order): void {
  reviewOf(order).state = 'approved'
  pay(order, order.price, model.rates, model.nowMs)
}

/** Called when the payer has the money of a rejected payment back. */
export function rejectReview(order: Order): void {
  reviewOf(order).state = 'rejected'
  order.standing = 'failed'
}
