// What an outcome of an attempt means for its order. Pure rules.
import type { Failed, Outcome } from '../channels/contract.ts'
import type { AttemptedOrder } from '../orders/order.ts'
import { type AttemptState, isDecided, State, type StateNumber } from '../orders/order.ts'

/** What an outcome changes. */
export type Decision = {
  readonly attemptState: AttemptState
  readonly orderState: StateNumber
  readonly message: string
  /** What came so far; undefined: as it was. */
  readonly received?: bigint | undefined
  /** Set when it contradicts what was decided before, or echoes other money: people must look. */
  readonly alarm?: string | undefined
}

/** What the outcome alone does not say. */
export type Circumstances = {
  /** All that came for this attempt and is not used yet, in the order's currency. */
  readonly arrived?: bigint
  /** The payer gave up this attempt to pay in another way. */
  readonly keepsOrder?: boolean | undefined
  /** The time that the attempt's payer had is over. */
  readonly isLate?: boolean
  /** Another channel is tried, if it was a matter of the channel. */
  readonly hasNext?: boolean
}

/**
 * The rule for one outcome. An attempt that was decided stays decided: a repeated outcome changes nothing, and a
 * contradicting one raises an alarm instead of moving money twice.
 */
export function decide(order: AttemptedOrder, outcome: Outcome, also: Circumstances = {}): Decision {
  const { attempt } = order
  if (isDecided(attempt.state)) return { ...unchanged(order), ...contradiction(attempt.state, outcome) }
  switch (outcome.kind) {
    case 'succeeded':
      if (outcome.money.amount !== order.money.amount || outcome.money.currency !== order.money.currency) {
        const alarm = 'the channel echoed another amount or currency than the order has'
        return { ...unchanged(order), attemptState: 'unknown', message: WAITING, alarm }
      }
      return paid(order, outcome.money.amount)
    case 'received':
      return decideReceived(order, also.arrived ?? 0n)
    case 'failed':
      return decideFailed(order, outcome, also)
    case 'pending':
      return { ...unchanged(order), attemptState: 'pending', message: 'Waiting for the payer' }
    case 'unknown':
      // A pending attempt stays pending: the payer may still act on what it carries.
      return attempt.state === 'pending'
        ? unchanged(order)
        : { ...unchanged(order), attemptState: 'unknown', message: WAITING }
  }
}

function unchanged({ attempt, state, message }: AttemptedOrder): Decision {
  return { attemptState: attempt.state, orderState: state, message }
}

function contradiction(state: 'succeeded' | 'failed', { kind }: Outcome): { alarm?: string } {
  if (kind !== 'succeeded' && kind !== 'failed') return {}
  return kind === state ? {} : { alarm: `was ${state}, the channel now says ${kind}` }
}

function paid(order: AttemptedOrder, received: bigint): Decision {
  const orderState = order.needsReview ? State.informationAsked : State.succeeded
  const message = order.needsReview ? 'More information is needed' : 'Payment succeeded'
  return { attemptState: 'succeeded', orderState, message, received }
}

function decideReceived(order: AttemptedOrder, received: bigint): Decision {
  if (received >= order.money.amount) return paid(order, received)
  const message = received > 0n ? 'Waiting for the rest of the amount' : 'Waiting for the payer'
  return { attemptState: 'pending', orderState: order.state, message, received }
}

function decideFailed(order: AttemptedOrder, { cause, message: why }: Failed, also: Circumstances): Decision {
  const hasTries = order.attempt.no < order.maxAttempts
  const isOpen =
    (also.hasNext === true && isTechnical(cause)) ||
    (hasTries && (cause !== 'cancelled' || also.keepsOrder === true))
  const ended = cause === 'cancelled' ? State.cancelled : State.failed
  const message = cause === 'cancelled' ? endingOf(order.attempt.state, also.isLate === true, why) : why
  // What had come for this attempt goes to suspense: for the next one nothing came yet.
  return { attemptState: 'failed', orderState: isOpen ? order.state : ended, message, received: 0n }
}

/** The channel's own trouble, before any payer was asked. */
export function isTechnical(cause: Failed['cause']): boolean {
  return cause === 'unreachable' || cause === 'refused'
}

const WAITING = "Waiting for the channel's answer"

// State 7 stands for orders that were cancelled and for those that expired. The order's message says which, to merchants by
// query and notification, and to the payer's page.
export const CANCELLED = 'Cancelled by the payer'
export const EXPIRED = 'Expired: nobody paid in time'

/** A channel knows that an attempt was called off, not why: once its payer's time is over, that is the reason. */
function endingOf(state: AttemptState, isLate: boolean, message: string): string {
  return state === 'pending' && isLate && message !== CANCELLED ? EXPIRED : message
}
