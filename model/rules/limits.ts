// Limits on the value of payments and of payouts, in US cents. A merchant has a limit for a single order, for a day and
// for a month. Payments of all methods count together, and payouts count separately. The platform may limit a method,
// or payouts, for all merchants together. Days are those of the merchant's time zone.
import { dayOf } from './calendar.ts'
import type { Model, Order, Payout, Shop } from './facts.ts'
import { sumOf } from './money.ts'
import { dollarValue } from './rates.ts'

/** The parts of an order that limits use. */
export type Counted = Pick<Order, 'value' | 'day' | 'isPlatformLimited'>

export function countedNow(
  { rates, nowMs, platformLimits }: Model,
  { timezone }: Shop,
  {
    method,
    amount,
    currency,
  }: { readonly method: string; readonly amount: bigint; readonly currency: string },
): Counted {
  return {
    value: dollarValue(rates, amount, currency) ?? 0n,
    day: dayOf(nowMs, timezone),
    isPlatformLimited: platformLimits.has(method),
  }
}

/** Returns the refusal of an order that is above the limit for a single order, or whose merchant lacks a limit. */
export function singleRefusal(
  { limits: { single, daily, monthly } }: Shop,
  value: bigint,
): string | undefined {
  if (single === undefined) return '10020'
  if (daily === undefined) return '10021'
  if (monthly === undefined) return '10022'
  return value > single ? '10023' : undefined
}

/** Returns the refusal of an order that would exceed a limit of its day or month. `method` is `payout` for payouts. */
export function limitRefusal(
  model: Model,
  { merNo, limits }: Shop,
  { method, value, day }: { readonly method: string } & Counted,
): string | undefined {
  const month = monthOf(day)
  const own = method === 'payout' ? 'payout' : ''
  const isOver = (owner: number, of: string, period: string, most: bigint | undefined) =>
    most !== undefined && usedOf(model, owner, of, period) + value > most
  if (isOver(merNo, own, day, limits.daily)) return '10024'
  if (isOver(merNo, own, month, limits.monthly)) return '10025'
  return platformRefusal(model, { method, value, day })
}

/** Returns the refusal of an order that would exceed the platform's limits for its method. */
export function platformRefusal(
  model: Model,
  { method, value, day }: { readonly method: string; readonly value: bigint; readonly day: string },
): string | undefined {
  const limits = model.platformLimits.get(method)
  const isOver = (period: string, most: bigint | undefined) =>
    most !== undefined && usedOf(model, 0, method, period) + value > most
  if (isOver(day, limits?.daily)) return '10016'
  return isOver(monthOf(day), limits?.monthly) ? '10017' : undefined
}

/**
 * The sum that counts against each limit, by `owner method period`. Owner 0 is the platform. For a merchant, the method
 * is `payout` for payouts and empty for payments.
 */
export function usageOf({ orders, payouts }: Model): Map<string, bigint> {
  const usage = new Map<string, bigint>()
  const count = (shop: Shop, own: string, method: string, { value, day, isPlatformLimited }: Counted) => {
    const keys = [day, monthOf(day)].flatMap((period) => [
      `${shop.merNo} ${own} ${period}`,
      ...(isPlatformLimited ? [`0 ${method} ${period}`] : []),
    ])
    for (const key of keys) usage.set(key, sumOf([usage.get(key) ?? 0n, value]))
  }
  for (const order of orders) if (counts(order)) count(order.shop, '', order.method, order)
  for (const payout of payouts) if (isUnderWay(payout)) count(payout.shop, 'payout', 'payout', payout)
  return usage
}

/**
 * True unless the order has failed or was cancelled. An order that is paid later with accepted late money counts again.
 */
function counts({ standing }: Order): boolean {
  return standing !== 'failed' && standing !== 'cancelled'
}

/** True if the payout counts against limits. A payout that failed or came back does not count. */
function isUnderWay({ state }: Payout): boolean {
  return state !== 'failed' && state !== 'returned'
}

function usedOf(model: Model, owner: number, method: string, period: string): bigint {
  return usageOf(model).get(`${owner} ${method} ${period}`) ?? 0n
}

function monthOf(day: string): string {
  return day.slice(0, 7)
}
