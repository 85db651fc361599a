// Pure rules: which due settlements and margin releases are made, and which bookings they cause. The schedule of dues
// is in orders/dues.ts.
//
// Invariant: settlement never takes the available balance below zero. An order with a negative remainder takes money
// from the available balance, so the order waits until the balance covers the remainder.

import { AVAILABLE } from '../ledger/account.ts'
import { type PlannedChange, planMove } from '../orders/change.ts'
import type { DueKind } from '../orders/dues.ts'
import type { PaidOrder } from '../orders/order.ts'
import { type Moved, type Position, releaseMargin, settle } from '../orders/position.ts'

type Rule = {
  readonly isDone: (position: Position) => boolean
  readonly move: (position: Position) => Moved
  readonly why: string
}

/** The rules of each kind of due. Step names are unique per order, and the ledger books each step once. */
const rules: Readonly<Record<DueKind, Rule>> = {
  settle: {
    isDone: ({ settled }) => settled,
    move: (position) => settle(position, 'settle'),
    why: 'Settled',
  },
  margin: {
    isDone: ({ marginReleased }) => marginReleased,
    move: (position) => releaseMargin(position, 'margin-release'),
    why: 'Margin released',
  },
}

export function isDone(kind: DueKind, order: PaidOrder): boolean {
  return rules[kind].isDone(order.paid.position)
}

export type Settling = { readonly order: PaidOrder; readonly moved: Moved; readonly gain: bigint }

export type Decided = { readonly settling: readonly Settling[]; readonly waiting: readonly PaidOrder[] }

/**
 * Decides which orders are settled and which wait. Orders that add money to the available balance are counted first,
 * because their money can cover the orders that take money.
 */
export function decideDue(
  kind: DueKind,
  orders: readonly PaidOrder[],
  available: (currency: string) => bigint,
): Decided {
  const moves = orders.map((order) => toSettling(kind, order))
  const settling = moves.filter(({ gain }) => gain >= 0n)
  const waiting: PaidOrder[] = []
  const covered = tally(available, settling)
  for (const one of moves.filter(({ gain }) => gain < 0n)) {
    if (covered.add(one)) settling.push(one)
    else waiting.push(one.order)
  }
  return { settling, waiting }
}

function toSettling(kind: DueKind, order: PaidOrder): Settling {
  const moved = rules[kind].move(order.paid.position)
  return { order, moved, gain: gainOf(moved) }
}

/** Returns the amount by which the available balance changes. */
function gainOf({ transfers }: Moved): bigint {
  const signed = transfers.map(({ debit, credit, money }) => {
    return (credit === AVAILABLE ? money.amount : 0n) - (debit === AVAILABLE ? money.amount : 0n)
  })
  return signed.reduce((sum, one) => sum + one, 0n)
}

function tally(available: (currency: string) => bigint, settling: readonly Settling[]) {
  const gains = new Map<string, bigint>()
  const gained = (currency: string) => gains.get(currency) ?? 0n
  const count = ({ order, gain }: Settling) => {
    const { settleCurrency } = order.paid.position
    gains.set(settleCurrency, gained(settleCurrency) + gain)
  }
  settling.forEach(count)
  return {
    /**
     * Counts the settlement and returns true. If the balance does not cover the settlement, counts nothing and returns
     * false.
     */
    add(one: Settling): boolean {
      const { settleCurrency } = one.order.paid.position
      if (available(settleCurrency) + gained(settleCurrency) + one.gain < 0n) return false
      count(one)
      return true
    },
  }
}

export function toChange(kind: DueKind, { order, moved }: Settling, at: Date): PlannedChange {
  return planMove({ order, moved, why: rules[kind].why, at })
}
