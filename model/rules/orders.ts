// How events change the money of an order.
import type { Chargeback, Model, Order, PaidMoney, Shop, Terms } from './facts.ts'
import { convertDown, feeHalfUp, least, most, shareHalfUp, sumOf } from './money.ts'
import { planFor } from './plans.ts'
import { findRate, type RateTable } from './rates.ts'

/** Returns the merchant's current terms for the method. The order or the attempt keeps them. */
export function termsAtAcceptance(
  { platformLimits }: Model,
  shop: Shop,
  { method, currency }: Pick<Order, 'method' | 'currency'>,
): Terms {
  return {
    method,
    plan: planFor(shop, method),
    settleCurrency: shop.settleCurrency ?? currency,
    isPlatformLimited: platformLimits.has(method),
  }
}

/** Returns the first state of an order: open, and without money. */
export function unpaid() {
  return {
    standing: 'open',
    review: undefined,
    paidBy: undefined,
    deposits: [],
    stated: new Map(),
    beyond: new Map(),
    isPaidFromSuspense: false,
    chargedLate: [],
    money: undefined,
    refunds: [],
    chargebacks: [],
  } satisfies Partial<Order>
}

/** True if the order's latest attempt has no outcome yet. */
export function isBusy({ attempt }: Order): boolean {
  return attempt === 'pending' || attempt === 'unknown'
}

/** True if a SEPA payment is above the merchant's limit, so that an operator must review it. */
export function needsReview(shop: Shop, method: Order['method'], price: bigint): boolean {
  return method === 'sepa' && price > shop.reviewAbove
}

/**
 * Pays the order: takes the fees and the margin, and leaves the remainder unsettled. A fixed fee above the amount makes
 * the remainder negative. The exchange rate at this moment also applies to the later settlement.
 */
export function pay(order: Order, amount: bigint, rates: RateTable, nowMs: number): void {
  const { plan, currency, settleCurrency } = order
  const fees = shareHalfUp(amount, plan.feeBps) + feeHalfUp(plan.feeFixed, currency)
  const margin = shareHalfUp(amount, plan.marginBps)
  const rate = settleCurrency === currency ? undefined : findRate(rates, currency, settleCurrency)
  order.standing = 'paid'
  order.money = {
    amount,
    paidAtMs: nowMs,
    rate,
    fees,
    margin,
    unsettled: amount - fees - margin,
    available: 0n,
    held: margin,
    heldDisputed: 0n,
    settled: false,
    released: false,
  }
}

export function moneyOf({ tradeNo, money }: Order): PaidMoney {
  if (money === undefined) throw new Error(`the model expects that ${tradeNo} is paid`)
  return money
}

/** The sum of all refunds that are in flight or succeeded. */
export function refundedOf({ refunds }: Order): bigint {
  return sumOf(
    refunds.filter(({ state }) => state !== 'failed' && state !== 'returned').map(({ amount }) => amount),
  )
}

/** The sum of all chargebacks that are open or lost. */
export function chargedBackOf({ chargebacks }: Order): bigint {
  return sumOf(
    chargebacks.filter(({ state }) => state === 'open' || state === 'lost').map(({ amount }) => amount),
  )
}

/**
 * The fees of all chargebacks and of refunds that did not fail, plus the part of returned refunds that did not arrive.
 */
export function exceptionFeesOf({ refunds, chargebacks }: Order): bigint {
  const kept = refunds.filter(({ state }) => state !== 'failed')
  const costs = refunds.filter(({ state }) => state === 'returned').map((one) => one.amount - one.cameBack)
  return sumOf([...kept.map(({ fee }) => fee), ...costs, ...chargebacks.map(({ fee }) => fee)])
}

/**
 * The order's part of the available balance in the settlement currency, converted as a whole so that roundings do not
 * add up.
 */
export function availableWorth({ currency, settleCurrency, money }: Order): bigint {
  return money === undefined ? 0n : convertDown(money.available, currency, settleCurrency, money.rate)
}

/** Moves the order's whole unsettled remainder to available, even if it is negative. */
export function settle(order: Order): void {
  const money = moneyOf(order)
  money.available += money.unsettled
  money.unsettled = 0n
  money.settled = true
}

export function releaseMargin(order: Order): void {
  const money = moneyOf(order)
  money.available += money.held
  money.held = 0n
  money.released = true
}

/** Adds to the available balance if the order is settled, otherwise to the unsettled remainder. */
function toHome(order: Order, amount: bigint): void {
  const money = moneyOf(order)
  if (money.settled) money.available += amount
  else money.unsettled += amount
}

/**
 * Releases the margin in proportion to the refunds, rounded down. The part of the margin that chargebacks used up is no
 * longer held. A margin that was already released stays released.
 */
function holdInProportion(order: Order): void {
  const money = moneyOf(order)
  if (money.released) return
  const freed = (money.margin * refundedOf(order)) / money.amount
  const held = most(money.margin - money.heldDisputed - freed, 0n)
  toHome(order, money.held - held)
  money.held = held
}

/** An accepted refund takes its amount and its fee at once. The caller has added the refund to the order. */
export function takeRefund(order: Order, amount: bigint, fee: bigint): void {
  holdInProportion(order)
  toHome(order, -amount - fee)
}

/** A failed refund gives back its amount and its fee. The caller has changed the refund's state. */
export function giveBackRefund(order: Order, amount: bigint, fee: bigint): void {
  toHome(order, amount + fee)
  holdInProportion(order)
}

/** A returned refund gives back what arrived, but not its fee. The caller has changed the refund's state. */
export function takeBackRefund(order: Order, arrived: bigint): void {
  toHome(order, arrived)
  holdInProportion(order)
}

/**
 * A chargeback takes its amount and fee from the order's unsettled remainder, then from a positive available balance,
 * then from the order's margin. An amount that is still missing takes the available balance below zero.
 */
export function takeChargeback(order: Order, { amount, fee }: Chargeback, availableBalance: bigint): void {
  const money = moneyOf(order)
  let need = amount + fee
  const fromRest = least(most(money.unsettled, 0n), need)
  money.unsettled -= fromRest
  need -= fromRest
  const fromAvailable = coveredBy(order, availableBalance, need)
  money.available -= fromAvailable
  need -= fromAvailable
  const fromMargin = least(money.held, need)
  money.held -= fromMargin
  money.heldDisputed += fromMargin
  money.available -= need - fromMargin
}

/** The largest part of the need that the available balance covers, compared in the settlement currency. */
function coveredBy(order: Order, balance: bigint, need: bigint): bigint {
  if (balance <= 0n) return 0n
  const money = moneyOf(order)
  const worth = (part: bigint) =>
    convertDown(money.available, order.currency, order.settleCurrency, money.rate) -
    convertDown(money.available - part, order.currency, order.settleCurrency, money.rate)
  let [covered, beyond] = [0n, need + 1n]
  while (beyond - covered > 1n) {
    const middle = (covered + beyond) / 2n
    if (worth(middle) <= balance) covered = middle
    else beyond = middle
  }
  return covered
}

/**
 * A won chargeback gives back its amount, but not its fee. If the order is not settled, the amount first gives back
 * what the chargeback took from the available balance.
 */
export function giveBackChargeback(order: Order, amount: bigint): void {
  const money = moneyOf(order)
  const toAvailable = money.settled ? amount : least(most(-money.available, 0n), amount)
  money.available += toAvailable
  money.unsettled += amount - toAvailable
}

/** Returns the order's state as the number that the gateway stores. */
export function stateOf(order: Order): number {
  switch (order.standing) {
    case 'open':
      return 1
    case 'failed':
      return 6
    case 'cancelled':
      return 7
    case 'in review':
      return order.review?.information === 'submitted' ? 25 : 24
    case 'paid':
      return paidStateOf(order)
  }
}

function paidStateOf(order: Order): number {
  const has = (state: Chargeback['state']) => order.chargebacks.some((one) => one.state === state)
  const refunded = refundedOf(order)
  if (has('lost')) return refunded > 0n ? 17 : 11
  if (has('open')) return 12
  if (order.refunds.some(({ state }) => isInFlight(state))) return 10
  return refunded === moneyOf(order).amount ? 9 : 5
}

export function isInFlight(state: string): boolean {
  return ['waiting', 'calling', 'pending', 'unknown'].includes(state)
}
