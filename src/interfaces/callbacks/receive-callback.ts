// Receives callbacks of counterparties. The channel or payout rail of that name authenticates the sender, and may report only
// on its own payments, refunds, payouts and disputes. The response is sent after the commit: a counterparty without a response
// sends the callback again, which changes nothing.
import type { Logger } from 'pino'
import { merNoOf } from '../base/id.ts'
import type { Callback, CallbackAnswer, CallbackResult, Dispute, Outcome } from '../channels/contract.ts'
import type { PayoutRails } from '../channels/payout/registry.ts'
import { receiveDisputes } from '../chargebacks/process-disputes.ts'
import type { DisputeDeps } from '../chargebacks/take-dispute.ts'
import { findAttempt, type OpenAttempt } from '../orders/open-attempts.ts'
import { attemptOf } from '../orders/order.ts'
import type { CompleteDeps } from '../payments/complete-payment.ts'
import { recordOutcome } from '../payments/make-payment.ts'
import { type ReceivePayoutDeps, receivePayout } from '../payouts/receive-payout.ts'
import { type ReceiveRefundDeps, receiveRefund } from '../refunds/receive-refund.ts'
import { receiveReturn } from '../reviews/receive-return.ts'
import { returnOf } from '../reviews/review.ts'

export type CallbackDeps = CompleteDeps &
  DisputeDeps &
  ReceiveRefundDeps &
  ReceivePayoutDeps & {
    readonly rails: Pick<PayoutRails, 'named'>
    readonly log: Logger
    readonly baseUrl: string
  }

/** Undefined: no counterparty of this name sends callbacks. */
export async function receiveCallback(
  deps: CallbackDeps,
  name: string,
  callback: Callback,
): Promise<CallbackAnswer | undefined> {
  // An entry with channels and a rail has one reader for both.
  const reader = deps.channels.named(name) ?? deps.rails.named(name)
  return reader && deps.gate.count(() => receive(deps, reader, callback))
}

type Reader = { readonly name: string; readCallback?(callback: Callback): Promise<CallbackResult> }

async function receive(
  deps: CallbackDeps,
  reader: Reader,
  callback: Callback,
): Promise<CallbackAnswer | undefined> {
  const result = await reader.readCallback?.(callback)
  if (result?.kind === 'refused')
    deps.log.warn({ channel: reader.name, why: result.why }, 'refused a callback')
  else if (result !== undefined) await recordAll(deps, reader.name, result)
  return result?.answer
}

type Accepted = Extract<CallbackResult, { kind: 'accepted' }>

/** Payments first: the others may be about one that the same message reports. */
async function recordAll(deps: CallbackDeps, name: string, accepted: Accepted): Promise<void> {
  const { reports, refunds = [], payouts = [], disputes = [] } = accepted
  for (const { reference, outcome } of reports) await recordPayment(deps, name, reference, outcome)
  for (const { refundReference, outcome } of refunds) {
    // The return of a rejected payment is a refund at the channel.
    const receiveIt = returnOf(refundReference) === undefined ? receiveRefund : receiveReturn
    await receiveIt(deps, name, refundReference, outcome)
  }
  for (const { reference, outcome } of payouts) await receivePayout(deps, name, reference, outcome)
  await recordDisputes(deps, name, disputes)
}

async function recordPayment(
  deps: CallbackDeps,
  name: string,
  reference: string,
  outcome: Outcome,
): Promise<void> {
  const attempt = await ownAttempt(deps, name, reference)
  const channel = attempt && deps.channels.named(name, attempt.method)
  if (attempt === undefined || channel === undefined) {
    deps.alarm(reference, `channel ${name} reported an attempt that it does not have: ${outcome.kind}`)
    return
  }
  const recorded = await recordOutcome(deps, channel, attempt, outcome)
  const { tradeNo } = attempt
  deps.log.info(
    { tradeNo, channel: name, outcome: outcome.kind, state: recorded.orderState },
    'callback recorded',
  )
}

/** The attempt of the reference, if it is this channel's. */
async function ownAttempt(
  { db }: CallbackDeps,
  channel: string,
  reference: string,
): Promise<OpenAttempt | undefined> {
  const key = attemptOf(reference)
  const merNo = key && merNoOf(key.tradeNo)
  const attempt = key && merNo !== undefined ? await findAttempt(db, { ...key, merNo }) : undefined
  return attempt?.channel === channel ? attempt : undefined
}

async function recordDisputes(
  deps: CallbackDeps,
  channel: string,
  disputes: readonly Dispute[],
): Promise<void> {
  const own: Dispute[] = []
  for (const dispute of disputes) {
    if ((await ownAttempt(deps, channel, dispute.reference)) !== undefined) own.push(dispute)
    else deps.alarm(dispute.reference, `channel ${channel} disputed an attempt that it does not have`)
  }
  if (own.length === 0) return
  await receiveDisputes(deps, channel, own, ({ reference }, error) =>
    deps.log.error({ err: error, reference }, 'a reported dispute could not be processed; it is retried'),
  )
}
