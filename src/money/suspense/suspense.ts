// Suspense holds money that arrived late, short, in surplus or in another currency for an order, or for no known order.
// An operator accepts the money for its order or returns it to the channel. Money of no known order can first be
// assigned to an order.
import type { Money } from '../../platform/base/money.ts'

/**
 * The state of a row. `assigned`: the money was moved to an order, and another row now holds it. `withdrawn`: the
 * channel took the money back or no longer lists it, so we booked it out before an operator had decided.
 */
export type SuspenseState = 'held' | 'accepted' | 'returned' | 'assigned' | 'withdrawn'
export type SuspenseCause = 'late' | 'short' | 'surplus' | 'unmatched'
/** The source of the row. `split`: the row holds the surplus of accepted rows, and so contains no new money. */
export type SuspenseOrigin = 'channel' | 'statement' | 'split'

/** The key of an attempt, as in orders/order.ts, which this folder may not use. */
export type AttemptKey = { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number }

export type Suspense = {
  /** The merchant number, or 0 if no merchant is known. */
  readonly merNo: number
  readonly suspenseId: string
  readonly channel: string
  readonly reference: string
  readonly tradeNo: string | undefined
  /** The attempt that the money was paid for. Set if `tradeNo` is set. */
  readonly attemptNo: number | undefined
  readonly origin: SuspenseOrigin
  /**
   * The statement line that brought money of no known order. The line stays set after the money is assigned to an
   * order.
   */
  readonly lineNo: string | undefined
  readonly money: Money
  readonly why: SuspenseCause
  readonly state: SuspenseState
  readonly bookedAt: Date
  readonly decidedAt: Date | undefined
}

/**
 * Returns the subject of the row's ledger entries. The subject is the order's number, so that the order's history shows
 * the entries. Without an order, the subject is the row's id.
 */
export function subjectOf({ tradeNo, suspenseId }: Pick<Suspense, 'tradeNo' | 'suspenseId'>): string {
  return tradeNo ?? suspenseId
}

/**
 * The prefix of the reference of a row with assigned money. After the prefix follows the id of the row that held the
 * money before.
 */
export const ASSIGNED = 'assigned:'

export const steps = {
  booked: (suspenseId: string) => `suspense:${suspenseId}`,
  returned: (suspenseId: string) => `suspense-returned:${suspenseId}`,
}
