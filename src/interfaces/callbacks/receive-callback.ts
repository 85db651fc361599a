// Receives callbacks (webhooks) of counterparties. Each address names a channel or payout rail, which authenticates the
// sender. The channel or rail may report only on its own payments, refunds, payouts and disputes. The response is sent
// after the commit. A counterparty that gets no response sends the callback again, so recording a callback is
// idempotent.
import type { Logger } from 'pino'
import { receiveDisputes } from '../../money/chargebacks/process-disputes.ts'
import type { DisputeDeps } from '../../money/chargebacks/take-dispute.ts'
import { findAttempt, type OpenAttempt } from '../../money/orders/open-attempts.ts'
import { attemptOf } from '../../money/orders/order.ts'
import type { CompleteDeps } from '../../money/payments/complete-payment.ts'
import { recordOutcome } from '../../money/payments/record-outcomes.ts'
import { type ReceivePayoutDeps, receivePayout } from '../../money/payouts/make-payout.ts'
import { type ReceiveRefundDeps, receiveRefund } from '../../money/refunds/call-refund.ts'
import { receiveReturn } from '../../money/reviews/ask-return.ts'
import { returnOf } from '../../money/reviews/review.ts'
import { merNoOf } from '../../platform/base/id.ts'
import type {
  Callback,
  CallbackAnswer,
  CallbackResult,
  Dispute,
  Outcome,
} from '../../rails/contract/channel.ts'
import type { PayoutRails } from '../../rails/routing/payout-routing.ts'

export type CallbackDeps = CompleteDeps &
  DisputeDeps &
  ReceiveRefundDeps &
  ReceivePayoutDeps & {
    readonly rails: Pick<PayoutRails, 'named'>
    readonly log: Logger
    readonly baseUrl: string
  }

/** Records a callback and returns the response. Returns undefined if no counterparty with this name sends callbacks. */
export async function receiveCallback(
  deps: CallbackDeps,
  name: string,
  callback: Callback,
): Promise<CallbackAnswer | undefined> {
  // If a settings entry has channels and a payout rail, one reader reads the callbacks of both: the channel's.
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

/**
 * Records all reports. Payments come first, because a refund or dispute of the same callback may be about such a
 * payment.
 */
async function recordAll(deps: CallbackDeps, name: string, accepted: Accepted): Promise<void> {
  const { reports, refunds = [], payouts = [], disputes = [] } = accepted
  for (const { reference, outcome } of reports) await recordPayment(deps, name, reference, outcome)
  for (const { refundReference, outcome } of refunds) {
    // Channels report the return of a rejected payment as a refund.
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

/** Returns the attempt of a reference. Undefined if there is no such attempt, or if another channel made it. */
export async function ownAttempt(
  { db }: Pick<CallbackDeps, 'db'>,
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
