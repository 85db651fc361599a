// Money that payers send, and money that fits no order.

import { isBusy } from './attempts.ts'
import type { Deposit, Model, Order, Suspense } from './facts.ts'
import { least, sumOf } from './money.ts'
import { pay } from './orders.ts'

function holdBack(
  model: Model,
  order: Order,
  { attempt, amount, currency }: Deposit,
  why: Suspense['why'],
): void {
  const { shop, channel } = order
  if (amount === 0n) return
  model.suspense.push({ merNo: shop.merNo, order, attempt, channel, currency, amount, why, state: 'held' })
}

function receivedOf({ deposits, currency }: Order): bigint {
  return sumOf(deposits.filter((one) => one.currency === currency).map(({ amount }) => amount))
}

/**
 * An open order waits until its deposits reach the price. It then succeeds, and a surplus is held in suspense. Money
 * for an attempt that has ended is held in suspense: late if it did not pay the order, surplus if it did. Money in
 * another currency pays nothing.
 */
export function receive(model: Model, order: Order, deposit: Deposit): void {
  if (deposit.currency !== order.currency) {
    holdBack(model, order, deposit, 'unmatched')
    return
  }
  const { attempt } = deposit
  if (attempt !== order.tries.length || !isBusy(order)) {
    holdBack(model, order, deposit, attempt === order.paidBy ? 'surplus' : 'late')
    return
  }
  order.deposits.push(deposit)
  const received = receivedOf(order)
  if (received < order.price) return
  succeed(model, order)
  const { currency, price } = order
  holdBack(model, order, { attempt, amount: received - price, currency }, 'surplus')
}

/** The order is paid in full. The money belongs to the merchant, or waits for a review. */
export function succeed(model: Model, order: Order): void {
  order.attempt = 'succeeded'
  order.paidBy = order.tries.length
  if (order.isReviewed) {
    order.standing = 'in review'
    order.review = {
      information: 'asked',
      state: 'undecided',
      returns: 0,
      isByChannel: false,
      cameBack: false,
    }
  } else pay(order, order.price, model.rates, model.nowMs)
}

/** An order that expires is cancelled. The deposits that have arrived are held in suspense, because they fell short. */
export function expire(model: Model, order: Order): void {
  order.standing = 'cancelled'
  order.attempt = 'failed'
  for (const deposit of order.deposits) holdBack(model, order, deposit, 'short')
}

/** Money in suspense can be accepted if its order was cancelled and has the same currency. */
export function mayAccept({ order, currency, state }: Suspense): boolean {
  return state === 'held' && order?.standing === 'cancelled' && currency === order.currency
}

/**
 * Accepts all held money of the attempt together, and pays the order with it on the terms of the attempt. An amount
 * above the price stays in suspense.
 */
export function accept(model: Model, { order, attempt, currency }: Suspense): void {
  if (order === undefined || attempt === undefined) return
  const held = model.suspense.filter(
    (one) =>
      one.order === order && one.attempt === attempt && one.currency === currency && one.state === 'held',
  )
  for (const one of held) one.state = 'accepted'
  const received = sumOf(held.map(({ amount }) => amount))
  order.paidBy = attempt
  Object.assign(order, order.tries[attempt - 1])
  pay(order, least(received, order.price), model.rates, model.nowMs)
  const surplus = received - least(received, order.price)
  holdBack(model, order, { attempt, amount: surplus, currency }, 'surplus')
}
