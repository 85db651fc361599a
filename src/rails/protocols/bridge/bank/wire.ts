// Maps our types to the bank's messages and back. A response that is malformed or about another payment is `unknown`.

import type { Money } from '../../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../../platform/base/object.ts'
import type {
  AttemptRef,
  Deposit,
  Failed,
  Outcome,
  PayerAction,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../../contract/channel.ts'
import { theirReason } from '../../../contract/counterparty-texts.ts'
import { fromReturned, NO_RETURNED_AMOUNT } from '../../../contract/returned.ts'
import type { Method } from '../../../methods/methods.ts'
import { failed, unknown } from '../../../toolkit/outcomes.ts'
import type { Reply } from '../../../toolkit/transport.ts'
import { isRefusal } from '../replies.ts'
import { type BankCharge, readCharge } from './charge.ts'

/** How a method reads its bank's charges. */
export type Reading = {
  /**
   * With `exact`, the bank reports one payment of the exact amount. With `deposits`, it reports all transfers so far.
   */
  readonly reports: 'exact' | 'deposits'
  /** Returns the payer's action. Undefined if a part of the action is missing or invalid in the charge. */
  readonly actionOf: (charge: BankCharge) => PayerAction | undefined
  /**
   * Set if the charge reports the deposits in another form, such as transfers of a coin. Returns the deposits in the
   * order's currency. Undefined if a part is malformed.
   */
  readonly depositsOf?: (charge: BankCharge) => readonly Deposit[] | undefined
}

export function toOpen(method: Method, request: StartRequest, extra: Fields): Fields {
  const { reference, money, completeUrl, callbackUrl, merchantName, expiresAt } = request
  return {
    reference,
    method,
    ...toMoney(money),
    payee: merchantName,
    expiresAt: expiresAt.toISOString(),
    returnUrl: completeUrl,
    callbackUrl,
    extra,
  }
}

export function toRefund({ reference, refundReference, refund }: RefundRequest): Fields {
  return { reference, refundReference, ...toMoney(refund) }
}

function toMoney({ amount, currency }: Money): { amount: string; currency: string } {
  return { amount: amount.toString(), currency }
}

/**
 * Reads the reply to `open`. If `open` was not sent or was refused, the payment has failed. In contrast, an unsent or
 * refused `lookup` or `cancel` leaves the payment `unknown` (fromReply).
 */
export function fromOpen(reply: Reply, attempt: AttemptRef, reading: Reading): Outcome {
  if (reply.kind === 'unsent') return failed('unreachable', 'The channel could not be reached')
  const message = 'The channel refused to open the payment'
  if (isRefusal(reply, 400, 'invalid_request')) return failed('refused', message)
  if (isRefusal(reply, 401, 'unauthorised')) return failed('unauthorised', message)
  return fromReply(reply, attempt, reading)
}

export function fromReply(reply: Reply, attempt: AttemptRef, reading: Reading): Outcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const charge = reply.status === 200 ? readCharge(reply.body) : undefined
  if (charge === undefined) return unknown(`the bank responded ${reply.status} without a charge`)
  if (charge.reference !== attempt.reference) return unknown('the bank responded about another payment')
  if (charge.status === 'open' && !isSame(charge.money, attempt.money))
    return unknown('the bank asks the payer for another amount')
  return fromCharge(charge, reading)
}

export function fromCharge(reported: BankCharge, reading: Reading): Outcome {
  const deposits = reading.depositsOf === undefined ? reported.deposits : reading.depositsOf(reported)
  if (deposits === undefined) return unknown('the bank sent malformed deposits')
  const charge = { ...reported, deposits }
  const { id: channelRef, status, money } = charge
  if (status === 'declined') return endedCharge(charge, 'declined', theirReason(charge.reason, 'Declined'))
  if (status === 'cancelled') return endedCharge(charge, 'cancelled', 'Cancelled; nothing was charged')
  if (reading.reports === 'exact' && status === 'paid')
    return money === undefined
      ? unknown("the bank's charge has no amount")
      : { kind: 'succeeded', money, channelRef }
  const action = reading.actionOf(charge)
  if (action === undefined) return unknown("the bank's charge has no valid payment details")
  if (reading.reports === 'exact') return { kind: 'pending', channelRef, action }
  if (deposits.length > 0) return { kind: 'received', channelRef, deposits, action }
  return status === 'open'
    ? { kind: 'pending', channelRef, action }
    : unknown('the bank reports the charge as paid, but no deposit')
}

/** Returns a failure with the charge's deposits: their money has arrived although the charge failed. */
function endedCharge(charge: BankCharge, cause: Failed['cause'], message: string): Failed {
  const { id: channelRef, deposits } = charge
  const base = { kind: 'failed', cause, channelRef } as const
  if (deposits.length === 0) return { ...base, message }
  return { ...base, message: 'Ended before the full amount arrived', deposits }
}

export function fromRefund(reply: Reply, { refundReference }: RefundRequest): RefundOutcome {
  if (isRefusal(reply, 400, 'invalid_request')) return refundRefused
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { body } = reply
  if (reply.status !== 200 || !isObject(body)) return unknown(`the bank responded ${reply.status}`)
  if (body.refundReference !== refundReference) return unknown('the bank responded about another refund')
  const { id: channelRef, status, amount, currency, reason } = body
  if (typeof channelRef !== 'string' || channelRef === '') return unknown("the bank's refund has no id")
  if (status === 'processing') return { kind: 'pending', channelRef }
  const message = theirReason(reason, 'Declined')
  if (status === 'failed') return { kind: 'failed', cause: 'declined', message, channelRef }
  if (status === 'returned') return fromReturned(message, body) ?? unknown(NO_RETURNED_AMOUNT)
  const isAmount = typeof amount === 'string' && /^[1-9]\d{0,17}$/.test(amount)
  if (status !== 'succeeded' || !isAmount || typeof currency !== 'string')
    return unknown("the bank's refund has no known state")
  return { kind: 'succeeded', money: { amount: BigInt(amount), currency }, channelRef }
}

const refundRefused: Failed = failed('refused', 'The channel refused the refund')

function isSame(one: Money | undefined, other: Money): boolean {
  return one?.amount === other.amount && one.currency === other.currency
}
