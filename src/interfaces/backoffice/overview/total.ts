// The main figures of the merchants' and of the operators' overview: today's total in the main currency, its comparison
// with the same weekday of last week, and each day's volume. All amounts are converted at the current rates, so that a
// change of rates alone does not look like a change of volume. Amounts without a rate are left out and shown
// separately.
import { type Static, Type } from 'typebox'
import type { DayCounts } from '../../../money/order-queries/search/read-counts.ts'
import { dollarValue, type Rates } from '../../../money/rates/rates.ts'
import { addDays } from '../../../platform/base/local-day.ts'
import { convertDown } from '../../../platform/base/money.ts'
import { money } from '../money.ts'
import { Money, orNull } from '../schemas.ts'

const Sums = Type.Object({
  orders: Type.Integer(),
  paid: Type.Integer(),
  failed: Type.Integer(),
  volume: Money,
})

/**
 * The change of the volume since the same weekday of last week, in thousandths. Null if there was no volume on that
 * day.
 */
const change = orNull(Type.Integer())

export const Total = Type.Object({
  /** The main currency. This is the currency with the highest value in the days that are shown. */
  currency: Type.String(),
  today: Sums,
  /**
   * The same weekday of last week, up to the last full hour of today. `change` compares the same hours of both days,
   * because orders are counted by the hour.
   */
  lastWeek: Type.Object({ day: Type.String(), volume: Money, change }),
  /** The other currencies whose amounts were converted. */
  converted: Type.Array(Type.String()),
  /**
   * Today's volumes in the currencies that have no rate to the main currency. All other volumes leave these amounts
   * out, but all numbers of orders include the orders in these currencies.
   */
  notIncluded: Type.Array(Money),
  /** Every day, including days without orders, the oldest first. */
  days: Type.Array(Type.Object({ day: Type.String(), ...Sums.properties })),
})

/** Today's figures of each currency that has orders today or on the same weekday of last week. */
export const Currencies = Type.Array(Type.Object({ currency: Type.String(), today: Sums, change }))

export type Counted = Omit<DayCounts, 'method'>

type Span = { readonly today: string; readonly days: number }

/** Returns null if `counts` contains no orders. */
export function totalOf(
  counts: readonly Counted[],
  { today, days }: Span,
  find: Rates['find'],
): Static<typeof Total> | null {
  const used = [...new Set(counts.map(({ currency }) => currency))].sort()
  const currency = mainOf(used, counts, find)
  if (currency === undefined) return null
  const worth = (some: readonly Counted[], of: 'volume' | 'volumeByNow') =>
    used.reduce((sum, from) => {
      const rate = find(from, currency)
      const amount = volumeIn(from, some, of)
      return rate === undefined ? sum : sum + convertDown({ amount, currency: from }, currency, rate).amount
    }, 0n)
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const sumsOn = (day: string) => {
    const some = byDay.get(day) ?? []
    return { ...ordersOf(some), volume: money(worth(some, 'volume'), currency) }
  }
  const then = addDays(today, -7)
  const [volumeNow, volumeThen] = [
    worth(byDay.get(today) ?? [], 'volumeByNow'),
    worth(byDay.get(then) ?? [], 'volumeByNow'),
  ]
  const others = used.filter((one) => one !== currency)
  const hasRate = (one: string) => find(one, currency) !== undefined
  return {
    currency,
    today: sumsOn(today),
    lastWeek: { day: then, volume: money(volumeThen, currency), change: changeOf(volumeNow, volumeThen) },
    converted: others.filter(hasRate),
    notIncluded: others
      .filter((one) => !hasRate(one))
      .map((one) => money(volumeIn(one, byDay.get(today) ?? [], 'volume'), one)),
    days: Array.from({ length: days }, (_, at) => {
      const day = addDays(today, at + 1 - days)
      return { day, ...sumsOn(day) }
    }),
  }
}

export function currenciesOf(
  counts: readonly Counted[],
  { today }: Pick<Span, 'today'>,
): Static<typeof Currencies> {
  const then = addDays(today, -7)
  const shown = counts.filter(({ day }) => day === today || day === then)
  const used = [...new Set(shown.map(({ currency }) => currency))].sort()
  return used.map((currency) => {
    const of = (day: string) => shown.filter((one) => one.day === day && one.currency === currency)
    const [now, before] = [of(today), of(then)]
    const byNow = (some: readonly Counted[]) => volumeIn(currency, some, 'volumeByNow')
    return {
      currency,
      today: sumsOf(currency, now),
      change: changeOf(byNow(now), byNow(before)),
    }
  })
}

/** Returns the numbers of all these orders, and the volume of the orders in `currency`. */
export function sumsOf(currency: string, some: readonly Counted[]) {
  return { ...ordersOf(some), volume: money(volumeIn(currency, some, 'volume'), currency) }
}

/**
 * Returns the currency whose volume has the highest value in dollars. Currencies without a rate to the dollar come
 * last, sorted by name.
 */
function mainOf(
  used: readonly string[],
  counts: readonly Counted[],
  find: Rates['find'],
): string | undefined {
  const valued = used.map((currency) => {
    const amount = volumeIn(currency, counts, 'volume')
    return { currency, value: dollarValue({ amount, currency }, find(currency, 'USD')) ?? -1n }
  })
  const [best] = valued.sort((one, other) => Number(other.value - one.value))
  return best?.currency
}

function volumeIn(currency: string, some: readonly Counted[], of: 'volume' | 'volumeByNow'): bigint {
  return some.reduce((sum, one) => (one.currency === currency ? sum + one[of] : sum), 0n)
}

function ordersOf(some: readonly Counted[]) {
  return {
    orders: some.reduce((sum, one) => sum + one.orders, 0),
    paid: some.reduce((sum, one) => sum + one.paid, 0),
    failed: some.reduce((sum, one) => sum + one.failed, 0),
  }
}

function changeOf(now: bigint, before: bigint): number | null {
  return before <= 0n ? null : Number(((now - before) * 1000n) / before)
}
