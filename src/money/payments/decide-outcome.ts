// Decides what the outcome of an attempt means for its order. Pure rules.
import type { Failed, Outcome } from '../channels/contract.ts'
import { inTheirWords } from '../channels/in-their-words.ts'
import type { AttemptedOrder } from '../orders/order.ts'
import { type AttemptState, isDecided, State, type StateNumber } from '../orders/order.ts'

/** The effect of an outcome. */
export type Decision = {
  readonly attemptState: AttemptState
  readonly orderState: StateNumber
  readonly message: string
  /** The amount received so far; undefined if it does not change. */
  readonly received?: bigint | undefined
  /** Set when an operator must check: the outcome contradicts an earlier decision, or reports another amount. */
  readonly alarm?: string | undefined
}

/** Facts beyond the outcome itself. */
export type Circumstances = {
  /** Unused deposits of this attempt, in the order's currency. */
  readonly arrived?: bigint
  /** The payer cancelled this attempt to pay by another method. */
  readonly keepsOrder?: boolean | undefined
  /** The payer's time for the attempt is over. */
  readonly isLate?: boolean
  /** The order can go on in another attempt: at the next channel, or at this one with a challenge. */
  readonly hasNext?: boolean
}

/**
 * The rule for one outcome. A decided attempt stays decided: a repeated outcome changes nothing, and a contradicting one
 * raises an alarm instead of moving money twice.
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
      // A pending attempt stays pending: the payer may still act on it.
      return attempt.state === 'pending'
        ? unchanged(order)
        : { ...unchanged(order), attemptState: 'unknown', message: WAITING }
  }
}

function unchanged({ attempt, state, message }: AttemptedOrder): Decision {
  return { attemptState: attempt.state, orderState: state, message }
}

function contradiction(state: 'succeeded' | 'failed', outcome: Outcome): { alarm?: string } {
  const { kind } = outcome
  if ((kind !== 'succeeded' && kind !== 'failed') || kind === state) return {}
  return { alarm: `was ${state}, the channel now says ${inTheirWords(outcome)}` }
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

function decideFailed(order: AttemptedOrder, failed: Failed, also: Circumstances): Decision {
  const { cause, message: why } = failed
  const hasTries = order.attempt.no < order.maxAttempts
  const isOpen =
    (also.hasNext === true && mayPass(failed)) ||
    (hasTries && (cause !== 'cancelled' || also.keepsOrder === true))
  const ended = cause === 'cancelled' ? State.cancelled : State.failed
  const message = cause === 'cancelled' ? endingOf(order.attempt.state, also.isLate === true, why) : why
  // Deposits of this attempt go to suspense; the next attempt starts at zero.
  return { attemptState: 'failed', orderState: isOpen ? order.state : ended, message, received: 0n }
}

/** The channel itself failed before the payer had to act, or the issuer wants the payer to be challenged first. */
export function mayPass({ cause, advice }: Failed): boolean {
  return ['unreachable', 'unauthorised', 'refused'].includes(cause) || advice === 'challenge'
}

const WAITING = "Waiting for the channel's answer"

// State 7 covers cancelled and expired orders. The order's message says which, in queries and notifications for merchants and
// on the payer's page.
export const CANCELLED = 'Cancelled by the payer'
export const EXPIRED = 'Expired: nobody paid in time'

/** A channel knows that an attempt was cancelled, not why. After the payer's time is over, expiry is the reason. */
function endingOf(state: AttemptState, isLate: boolean, message: string): string {
  return state === 'pending' && isLate && message !== CANCELLED ? EXPIRED : message
}
