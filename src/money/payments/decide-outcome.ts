// Pure rules: the effect of an attempt's outcome on its order.
import { isSameMoney } from '../../platform/base/money.ts'
import type { Failed, Outcome } from '../../rails/contract/channel.ts'
import { inTheirWords } from '../../rails/contract/counterparty-texts.ts'
import {
  type AttemptedOrder,
  type AttemptState,
  isDecided,
  State,
  type StateNumber,
} from '../orders/order.ts'

export type Decision = {
  readonly attemptState: AttemptState
  readonly orderState: StateNumber
  readonly message: string
  /** The amount received so far. Undefined if the amount stays the same. */
  readonly received?: bigint | undefined
  /** The alarm for an operator, if the outcome contradicts an earlier one or has another amount or currency. */
  readonly alarm?: string | undefined
}

export type Circumstances = {
  /** The sum of the attempt's unused deposits in the order's currency. */
  readonly arrived?: bigint
  /** True if a cancelled attempt leaves the order open, because the payer may try again. */
  readonly keepsOrder?: boolean | undefined
  /** True if the payer's time for the attempt is over. */
  readonly isLate?: boolean
  /** True if a further attempt is possible at once, at the next channel or again at the same channel. */
  readonly hasNext?: boolean
}

/**
 * Decides the effect of one outcome. A decided attempt stays decided: a repeated outcome changes nothing, and a
 * contradicting outcome only raises an alarm.
 */
export function decide(order: AttemptedOrder, outcome: Outcome, also: Circumstances = {}): Decision {
  const { attempt } = order
  if (isDecided(attempt.state)) return { ...unchanged(order), ...contradiction(attempt.state, outcome) }
  switch (outcome.kind) {
    case 'succeeded':
      if (!isSameMoney(outcome.money, order.money)) {
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
  // Deposits of this attempt go to suspense, so the next attempt starts at zero.
  return { attemptState: 'failed', orderState: isOpen ? order.state : ended, message, received: 0n }
}

/**
 * True if the order may continue with a further attempt: the channel failed before the payer had to act, or the issuer
 * wants the payer to be challenged.
 */
export function mayPass({ cause, advice }: Failed): boolean {
  return ['unreachable', 'unauthorised', 'refused'].includes(cause) || advice === 'challenge'
}

const WAITING = "Waiting for the channel's answer"

// State 7 covers cancelled and expired orders. The message shows merchants and payers which of the two happened.
export const CANCELLED = 'Cancelled by the payer'
export const EXPIRED = 'Expired: nobody paid in time'

/**
 * Returns the message of a cancelled attempt. The channel does not know whether the payer cancelled or the payer's time
 * ended. A pending attempt counts as expired if the payer's time is over and the payer did not cancel.
 */
function endingOf(state: AttemptState, isLate: boolean, message: string): string {
  return state === 'pending' && isLate && message !== CANCELLED ? EXPIRED : message
}
