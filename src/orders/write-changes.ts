// All that outcomes write, as statements: orders and attempts, limits given back, ledger, totals, outbox.

import { bookingOf, type Entry } from '../ledger/post-entries.ts'
import { outboxOf } from '../notifications/enqueue-notifications.ts'
import { notificationOf } from '../payments/payment-notification.ts'
import type { PlannedChange } from '../payments/plan-change.ts'
import type { Statement } from '../postgres/db.ts'
import { type Step, totalsOf } from './daily-totals.ts'
import { giveBack, type Usage, usageKey } from './limit-usage.ts'
import { bookingsOf, heldForReview, type OpenOrder, State, type StateNumber } from './order.ts'
import { changesOf } from './sql.ts'

/** None of these needs another's answer; the database takes them in this order. */
export function statementsOf(changes: readonly PlannedChange[]): Statement[] {
  if (changes.length === 0) return []
  const ended = changes.filter((change) => change.decided && isFinal(change.orderState))
  const failed = ended.filter((change) => change.orderState !== State.succeeded)
  return [
    ...changesOf(changes),
    ...(failed.length > 0 ? [giveBack(usagesOf(failed.map(({ order }) => order)))] : []),
    ...bookingOf(changes.flatMap(bookings)),
    ...totalsOf(ended.map(toStep)),
    ...outboxOf(ended.map(notificationOf)),
  ]
}

/** Only what is final is told to everyone, and counted; until then an order counts as open. */
function isFinal(state: StateNumber): boolean {
  return state === State.succeeded || state === State.failed || state === State.cancelled
}

function toStep({ order, orderState, charges, at }: PlannedChange): Step {
  const { merNo, localDay, money, terms } = order
  const { currency, amount: sourceAmount } = money
  const cell = {
    merNo,
    localDay,
    state: orderState,
    currency,
    settleCurrency: terms.settleCurrency,
    settled: false,
  }
  return { cell, sign: 1n, sourceAmount, settleAmount: charges?.settleAmount ?? 0n, at }
}

function bookings({ order, orderState, decided, charges, at }: PlannedChange): Entry[] {
  if (charges !== undefined) return bookingsOf(order, charges, at)
  return decided && orderState === State.informationAsked ? [heldForReview(order, at)] : []
}

/** What failed counts against no limit. A day that is over is given back too: it changes nothing and needs no rule. */
export function usagesOf(
  orders: readonly Pick<OpenOrder, 'merNo' | 'method' | 'localDay' | 'usdValue' | 'platformLimited'>[],
): Usage[] {
  const sums = new Map<string, Usage>()
  for (const order of orders) {
    const owners = [{ merNo: order.merNo, method: '' }]
    if (order.platformLimited) owners.push({ merNo: 0, method: order.method })
    for (const owner of owners) {
      for (const period of [order.localDay, order.localDay.slice(0, 7)]) {
        const key = usageKey({ ...owner, period })
        sums.set(key, { ...owner, period, used: (sums.get(key)?.used ?? 0n) + order.usdValue })
      }
    }
  }
  return [...sums.values()]
}
