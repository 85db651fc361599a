// Suspense holds money that arrived late, short, in surplus or in another currency for an order, or for no known order.
// An operator accepts it for its order or returns it to the channel. Money of no known order can first be assigned to one.
import type { Money } from '../../platform/base/money.ts'

/**
 * `assigned`: another row holds the money for an order. `withdrawn`: the channel took the money back or no longer lists
 * it, so we booked it out before an operator had decided.
 */
export type SuspenseState = 'held' | 'accepted' | 'returned' | 'assigned' | 'withdrawn'
export type SuspenseCause = 'late' | 'short' | 'surplus' | 'unmatched'
/** `split`: the row holds the surplus of accepted rows, and so contains no new money. */
export type SuspenseOrigin = 'channel' | 'statement' | 'split'

/** The key of an attempt, as in orders/order.ts, which this folder may not use. */
export type AttemptKey = { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number }

export type Suspense = {
  /** 0 if no merchant is known. */
  readonly merNo: number
  readonly suspenseId: string
  readonly channel: string
  readonly reference: string
  readonly tradeNo: string | undefined
  /** Set if `tradeNo` is. */
  readonly attemptNo: number | undefined
  readonly origin: SuspenseOrigin
  /** The line of a statement that brought money of no known order. It stays set after an assignment. */
  readonly lineNo: string | undefined
  readonly money: Money
  readonly why: SuspenseCause
  readonly state: SuspenseState
  readonly bookedAt: Date
  readonly decidedAt: Date | undefined
}

/** The subject of the row's ledger entries, which the history of a known order shows. */
export function subjectOf({ tradeNo, suspenseId }: Pick<Suspense, 'tradeNo' | 'suspenseId'>): string {
  return tradeNo ?? suspenseId
}

/** The beginning of the reference of a row to which an operator assigned money of another row. */
export const ASSIGNED = 'assigned:'

export const steps = {
  booked: (suspenseId: string) => `suspense:${suspenseId}`,
  returned: (suspenseId: string) => `suspense-returned:${suspenseId}`,
}
