// Which refunds are accepted. The first check that fails gives the refusal's code.
import { availableIn, type Balances, balancesOf } from './accounts.ts'
import type { Model, Order, Refund } from './facts.ts'
import { mayRefund } from './methods.ts'
import { convertUp, feeHalfUp, least } from './money.ts'
import {
  giveBackRefund,
  isInFlight,
  moneyOf,
  refundedOf,
  stateOf,
  takeBackRefund,
  takeRefund,
} from './orders.ts'
import { planFor } from './plans.ts'
import { findRate, type RateTable } from './rates.ts'

export type WantedRefund = {
  readonly amount: bigint
  readonly merRefundNo: string | undefined
  readonly remark: string
}

const TEN_MINUTES_MS = 600_000

/**
 * A refund with a merchant's number is accepted once. A repeated number with the same content returns the earlier
 * refund, and with other content is refused. A refund without a number is refused if an equal refund was made within
 * ten minutes or is in flight.
 */
export function earlierRefund(
  model: Model,
  order: Order,
  wanted: WantedRefund,
): Refund | '10003' | '10009' | undefined {
  const isSame = (one: Refund) =>
    one.order === order && one.amount === wanted.amount && one.remark === wanted.remark
  if (wanted.merRefundNo === undefined) {
    const isRecent = (one: Refund) => isInFlight(one.state) || one.madeAtMs > model.nowMs - TEN_MINUTES_MS
    return order.refunds.some((one) => isSame(one) && isRecent(one)) ? '10003' : undefined
  }
  const ofShop = model.orders.filter(({ shop }) => shop === order.shop).flatMap(({ refunds }) => refunds)
  const named = ofShop.find(({ merRefundNo }) => merRefundNo === wanted.merRefundNo)
  if (named === undefined) return undefined
  return isSame(named) ? named : '10009'
}

/**
 * An order may be refunded up to the paid amount if its method makes refunds and the order has no open or lost
 * chargeback.
 */
export function refusalOf(order: Order, amount: bigint): '10103' | '10102' | '10101' | undefined {
  if (order.tries.length > 0 && !mayRefund(order.method)) return '10103'
  if (order.money === undefined || ![5, 9, 10].includes(stateOf(order))) return '10102'
  return amount > order.money.amount - refundedOf(order) ? '10101' : undefined
}

/** The fee comes from the merchant's plan at the time of the refund, not from the order's terms. */
export function refundFeeOf({ shop, method, currency }: Order): bigint {
  return feeHalfUp(planFor(shop, method).refundFee, currency)
}

/** Accepts the refund if the merchant's balances cover it. Otherwise returns the code of the refusal. */
export function acceptRefund(model: Model, refund: Refund): '10104' | undefined {
  const { order, amount, fee } = refund
  const money = moneyOf(order)
  const [before, rest] = [balancesOf(model, order.shop), { ...money }]
  order.refunds.push(refund)
  takeRefund(order, amount, fee)
  const after = balancesOf(model, order.shop)
  if (isCovered(model, order, { before, after, restBefore: rest.unsettled })) return undefined
  order.refunds.pop()
  Object.assign(money, rest)
  return '10104'
}

/**
 * A refund of a settled order must not take the available balance below zero, or further below zero. A refund of an
 * unsettled order may take the order's remainder below zero if all debts together stay within the refund credit.
 */
function isCovered(
  { rates }: Model,
  { shop, settleCurrency, money }: Order,
  { before, after, restBefore }: { before: Balances; after: Balances; restBefore: bigint },
): boolean {
  if (money?.settled === true)
    return availableIn(after, settleCurrency) >= least(availableIn(before, settleCurrency), 0n)
  if ((money?.unsettled ?? 0n) >= least(restBefore, 0n)) return true
  return debtsIn('USD', after, rates) <= shop.refundCredit
}

/**
 * The merchant's debts: for each currency, a negative sum of available and unsettled money, converted at the current
 * rate and rounded up.
 */
export function debtsIn(to: string, balances: Balances, rates: RateTable): bigint {
  let debts = 0n
  for (const [currency, { available, unsettled }] of balances)
    if (available + unsettled < 0n)
      debts += convertUp(-available - unsettled, currency, to, findRate(rates, currency, to))
  return debts
}

/** Returns the accepted refund, the earlier refund that the request repeats, or the code of the refusal. */
export function applyRefund(model: Model, refund: Refund): Refund | string {
  const { order, amount } = refund
  return (
    earlierRefund(model, order, refund) ?? refusalOf(order, amount) ?? acceptRefund(model, refund) ?? refund
  )
}

type Applied = Pick<Refund, 'order' | 'amount' | 'merRefundNo' | 'remark' | 'refundNo' | 'given'>

/** Creates a refund, which waits for an operator if the merchant's refunds need an approval. */
export function newRefund({ nowMs }: Model, applied: Applied): Refund {
  const { order } = applied
  const state = order.shop.approvesRefunds ? 'waiting' : 'calling'
  return { ...applied, fee: refundFeeOf(order), madeAtMs: nowMs, state, cameBack: 0n }
}

/** The paid amount that is not refunded yet, or 0 if the order is not paid. */
export function leftOf(order: Order): bigint {
  return (order.money?.amount ?? 0n) - refundedOf(order)
}

/**
 * Runs `work` and returns its result. If the result is false, the changes that `work` made to the refunds and the money
 * of the orders are undone.
 */
export function tryOut(orders: readonly Order[], work: () => boolean): boolean {
  const before = orders.map((order) => ({ order, refunds: order.refunds.length, money: { ...order.money } }))
  if (work()) return true
  for (const { order, refunds, money } of before) {
    order.refunds.length = refunds
    Object.assign(order.money ?? {}, money)
  }
  return false
}

export function failRefund(refund: Refund): void {
  refund.state = 'failed'
  giveBackRefund(refund.order, refund.amount, refund.fee)
}

/** A returned refund credits the amount that arrived, but never more than was sent. */
export function returnRefund(refund: Refund, arrived: bigint): void {
  refund.state = 'returned'
  refund.cameBack = least(arrived, refund.amount)
  takeBackRefund(refund.order, refund.cameBack)
}
