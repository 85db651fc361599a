// An order with all that any change of it needs, as it is once it is locked.
import type { Money, Rate } from '../base/money.ts'
import type { OrderKey } from './keys.ts'
import type { Position } from './position.ts'
import { type AttemptState, isDecided, State, type StateNumber } from './states.ts'

export type OrderKind = 'payment' | 'payout'

/** The terms as they were when the order was accepted. */
export type Terms = {
  readonly feeBps: number
  readonly feeFixed: bigint
  readonly marginBps: number
  readonly marginDays: number
  readonly settleDays: number
  readonly settleCurrency: string
  /** Undefined where the order settles in its own currency. */
  readonly settleRate: Rate | undefined
}

export type Order = OrderKey & {
  readonly merOrderNo: string
  readonly kind: OrderKind
  readonly method: string
  readonly money: Money
  readonly state: StateNumber
  /** Counts the changes of state. */
  readonly version: number
  readonly message: string
  readonly notifyUrl: string
  readonly protestNotifyUrl: string
  readonly localDay: string
  readonly timezone: string
  readonly usdValue: bigint
  readonly platformLimited: boolean
  readonly terms: Terms
  /** How often the payer may try. */
  readonly maxAttempts: number
  /** Once paid, it waits for an operator before it counts as paid. */
  readonly needsReview: boolean
  /** What arrived so far; 0 while nothing did. */
  readonly received: bigint
  /** The attempt that was asked for; else the one that took the money; else the latest. */
  readonly attempt: Attempt | undefined
  /** Set once it was paid. */
  readonly paid: Paid | undefined
}

export type AttemptedOrder = Order & { readonly attempt: Attempt }
export type PaidOrder = AttemptedOrder & { readonly paid: Paid }

export type Attempt = {
  readonly no: number
  readonly channel: string
  readonly state: AttemptState
  readonly asks: number
  readonly createdAt: Date
  /** How the channel knows it. */
  readonly channelRef: string | undefined
  /** Set when the payer chose the method on our page. */
  readonly choice: Choice | undefined
}

/** What an order takes over from the method that its payer chose. */
export type Choice = {
  readonly method: string
  readonly terms: Terms
  readonly platformLimited: boolean
}

/** What became of the money of a paid order. */
export type Paid = {
  /** Percentage and fixed fee, as taken at success. */
  readonly fees: bigint
  readonly settleAmount: bigint
  readonly refundsOpen: number
  readonly chargeback: ChargebackState | undefined
  /** Its amount is what was paid, which may be less than the order's. */
  readonly position: Position
}

export type ChargebackState = 'open' | 'won' | 'lost'

export function isAttempted(order: Order): order is AttemptedOrder {
  return order.attempt !== undefined
}

export function isPaid(order: Order): order is PaidOrder {
  return order.attempt !== undefined && order.paid !== undefined
}

/** The state of a paid order follows from its money. */
export function paidState({ refundsOpen, chargeback, position }: Omit<Paid, 'fees' | 'settleAmount'>) {
  if (chargeback === 'open') return State.disputed
  if (chargeback === 'lost') return position.refunded > 0n ? State.chargedBackAfterRefund : State.chargedBack
  if (refundsOpen > 0) return State.refunding
  return position.refunded === position.amount ? State.refunded : State.succeeded
}

/** An order has one open attempt at most, its latest: while that is under way, nobody else may end or begin one. */
export function isBusy({ attempt }: Order): boolean {
  return attempt !== undefined && !isDecided(attempt.state)
}
