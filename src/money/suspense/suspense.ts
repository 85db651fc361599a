// Money that cannot be assigned: it arrived late, short or in surplus for an order, or for no known order. An operator accepts
// it for its order or returns it to the channel; money of no known order can be assigned to one first.
import type { Money } from '../base/money.ts'

/** `assigned`: it was found to be for an order, and is held there in a row of its own. */
export type SuspenseState = 'held' | 'accepted' | 'returned' | 'assigned'
export type SuspenseCause = 'late' | 'short' | 'surplus' | 'unmatched'
/** Who reported it. `split`: split off another row when that was accepted, so it brought no money itself. */
export type SuspenseOrigin = 'channel' | 'statement' | 'split'

export type Suspense = {
  /** 0: no known merchant. */
  readonly merNo: number
  readonly suspenseId: string
  readonly channel: string
  /** The channel's reference of the money. */
  readonly reference: string
  readonly tradeNo: string | undefined
  /** The attempt that it was paid for; set whenever the order is. */
  readonly attemptNo: number | undefined
  readonly origin: SuspenseOrigin
  readonly money: Money
  readonly why: SuspenseCause
  readonly state: SuspenseState
  readonly bookedAt: Date
  readonly decidedAt: Date | undefined
}

/** The subject of ledger entries: the order's number if there is one, so that its history shows them. */
export function subjectOf({ tradeNo, suspenseId }: Pick<Suspense, 'tradeNo' | 'suspenseId'>): string {
  return tradeNo ?? suspenseId
}

export const steps = {
  booked: (suspenseId: string) => `suspense:${suspenseId}`,
  returned: (suspenseId: string) => `suspense-returned:${suspenseId}`,
}
