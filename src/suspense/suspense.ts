// Money that we have and that is nobody's yet: it came late, short or in surplus for an order, or for no order that we
// know. It waits for an operator, who accepts it for its order or returns it to the channel.
import type { Money } from '../base/money.ts'

export type SuspenseState = 'held' | 'accepted' | 'returned'
export type SuspenseCause = 'late' | 'short' | 'surplus' | 'unmatched'
/** Who brought it to our notice; `split`: cut off another row when that was accepted, so no money of its own. */
export type SuspenseOrigin = 'channel' | 'statement' | 'split'

export type Suspense = {
  /** 0: no merchant that we know. */
  readonly merNo: number
  readonly suspenseId: string
  readonly channel: string
  /** How the channel calls this money. */
  readonly reference: string
  readonly tradeNo: string | undefined
  /** The attempt that it was paid to; known whenever the order is. */
  readonly attemptNo: number | undefined
  readonly origin: SuspenseOrigin
  readonly money: Money
  readonly why: SuspenseCause
  readonly state: SuspenseState
  readonly bookedAt: Date
  readonly decidedAt: Date | undefined
}

/** What entries are booked under: the order's own number where there is one, so that its history tells of them. */
export function subjectOf({ tradeNo, suspenseId }: Pick<Suspense, 'tradeNo' | 'suspenseId'>): string {
  return tradeNo ?? suspenseId
}

export const steps = {
  booked: (suspenseId: string) => `suspense:${suspenseId}`,
  returned: (suspenseId: string) => `suspense-returned:${suspenseId}`,
}
