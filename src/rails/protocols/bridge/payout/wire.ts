// Maps our types to the payout bank's messages and back. A response that is malformed or about another payout is
// `unknown`.
import { isFiat } from '../../../../platform/base/currency.ts'
import { type Fields, isObject } from '../../../../platform/base/object.ts'
import { moneyFault, theirReason } from '../../../contract/counterparty-texts.ts'
import type { PayoutFailed, PayoutOutcome } from '../../../contract/payout-outcome.ts'
import type { PayoutRequest, Tokenised } from '../../../contract/payout-rail.ts'
import { fromReturned, NO_RETURNED_AMOUNT } from '../../../contract/returned.ts'
import { failed, unknown } from '../../../toolkit/outcomes.ts'
import type { Reply } from '../../../toolkit/transport.ts'
import { isRefusal } from '../replies.ts'

export function toSend({ reference, kind, money, beneficiary }: PayoutRequest, callbackUrl?: string): Fields {
  const { account, details } = beneficiary
  const { amount, currency } = money
  const payout = { reference, kind, amount: amount.toString(), currency, account, beneficiary: details }
  return callbackUrl === undefined ? payout : { ...payout, callbackUrl }
}

/**
 * Reads the reply to `tokenise`. A missing response is a failure and not `unknown`, because tokenising moves no money.
 */
export function fromTokenise(reply: Reply): Tokenised {
  if (reply.kind !== 'answer') return unreachable
  const { token } = asFields(reply.body) ?? {}
  if (reply.status === 200 && typeof token === 'string' && token !== '') return { kind: 'token', token }
  return isRefusal(reply, 400, 'invalid_request') ? payoutRefused : unreachable
}

/**
 * Reads the reply to `send`. If `send` was not sent or was refused, the payout has failed. In contrast, an unsent or
 * refused `lookup` leaves the payout `unknown` (fromPayout).
 */
export function fromSend(reply: Reply, reference: string): PayoutOutcome {
  if (reply.kind === 'unsent') return unreachable
  if (isRefusal(reply, 400, 'invalid_request')) return payoutRefused
  if (isRefusal(reply, 401, 'unauthorised')) return { ...payoutRefused, cause: 'unauthorised' }
  return fromPayout(reply, reference)
}

export function fromPayout(reply: Reply, reference: string): PayoutOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const payout = asFields(reply.body)
  if (reply.status !== 200 || payout === undefined) return unknown(`the rail responded ${reply.status}`)
  if (payout.reference !== reference) return unknown('the rail responded about another payout')
  const { id: railRef, status } = payout
  if (typeof railRef !== 'string' || railRef === '') return unknown("the rail's response has no id")
  if (status === 'processing') return { kind: 'processing', railRef }
  if (status === 'succeeded') return succeeded(payout, railRef)
  if (status === 'failed')
    return {
      kind: 'failed',
      cause: 'declined',
      message: theirReason(payout.reason, 'The payout failed'),
      railRef,
    }
  if (status === 'returned')
    return (
      fromReturned(theirReason(payout.reason, 'The money came back'), payout) ?? unknown(NO_RETURNED_AMOUNT)
    )
  return unknown("the rail's response has no known state")
}

/** Reads a callback about a payout. Undefined if the callback names no payout. */
export function fromPayoutCallback(
  body: Fields,
): { readonly reference: string; readonly outcome: PayoutOutcome } | undefined {
  const { reference } = body
  if (typeof reference !== 'string') return undefined
  return { reference, outcome: fromPayout({ kind: 'answer', status: 200, body }, reference) }
}

function succeeded(payout: Fields, railRef: string): PayoutOutcome {
  const { amount, currency } = payout
  const isAmount = typeof amount === 'string' && /^\d{1,18}$/.test(amount)
  if (!isAmount || typeof currency !== 'string' || !isFiat(currency))
    return unknown(`the rail's response has no amount that can be read: ${moneyFault(payout)}`)
  return { kind: 'succeeded', money: { amount: BigInt(amount), currency }, railRef }
}

const unreachable = failed('unreachable', 'The payout rail could not be reached')

export const payoutRefused: PayoutFailed = failed('refused', 'The payout rail refused the payout')

function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined
}
