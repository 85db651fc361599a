// The states of orders and of their attempts, and which may follow which.

/** By the numbers that merchants see in order lists. */
export const State = {
  /** Waits for the payer, the beneficiary or the channel. */
  processing: 1,
  /** Paid and booked. */
  succeeded: 5,
  /** Declined, or the channel would not open it. */
  failed: 6,
  /** Cancelled by the payer, or expired: the order's message says which. */
  cancelled: 7,
  /** The whole amount went back to the payer. */
  refunded: 9,
  /** A refund is under way. */
  refunding: 10,
  /** A chargeback was lost. */
  chargedBack: 11,
  /** A chargeback is open. */
  disputed: 12,
  /** A chargeback was lost after a refund. */
  chargedBackAfterRefund: 17,
  /** The operator asked the merchant for more information. */
  informationAsked: 24,
  /** The merchant sent the information; an operator reviews it. */
  inReview: 25,
} as const

export type StateNumber = (typeof State)[keyof typeof State]

const transitions: Readonly<Record<StateNumber, readonly StateNumber[]>> = {
  [State.processing]: [State.succeeded, State.failed, State.cancelled, State.informationAsked],
  // An operator who knows enough need not wait for the merchant.
  [State.informationAsked]: [State.inReview, State.succeeded, State.failed],
  [State.inReview]: [State.succeeded, State.failed, State.informationAsked],
  [State.succeeded]: [State.refunding, State.disputed],
  [State.refunding]: [State.succeeded, State.refunded, State.disputed],
  [State.refunded]: [State.disputed],
  [State.disputed]: [
    State.succeeded,
    State.refunding,
    State.refunded,
    State.chargedBack,
    State.chargedBackAfterRefund,
  ],
  // A refund that was under way when the chargeback was lost may still fail.
  [State.chargedBackAfterRefund]: [State.chargedBack],
  [State.chargedBack]: [],
  [State.failed]: [],
  // Money that came late, and was accepted.
  [State.cancelled]: [State.succeeded],
}

export function mayBecome(from: StateNumber, to: StateNumber): boolean {
  return transitions[from].includes(to)
}

/** Not decided yet: it stands in no daily total. */
export function isOpen(state: StateNumber): boolean {
  return state === State.processing || isInReview(state)
}

/** Its money has arrived and waits for an operator. */
export function isInReview(state: StateNumber): boolean {
  return state === State.informationAsked || state === State.inReview
}

/** It was paid, whatever became of the money since. */
export function wasPaid(state: StateNumber): boolean {
  return !isOpen(state) && state !== State.failed && state !== State.cancelled
}

/** Recorded before the call; waits for its payer; without a clear answer so far; and the two ends. */
export type AttemptState = 'calling' | 'pending' | 'unknown' | 'succeeded' | 'failed'

export function isDecided(state: AttemptState): state is 'succeeded' | 'failed' {
  return state === 'succeeded' || state === 'failed'
}
