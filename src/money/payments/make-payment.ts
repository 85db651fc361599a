// Makes a payment in three steps: accept the order and commit; call the channel; record the outcome and commit. The
// card is in memory only until the last call ends. After a crash during a call, the resolver asks the channel about the
// attempt.
//
// The order gets a further attempt in three cases:
// - The channel itself fails before the payer has acted: the next channel is tried.
// - The issuer declines because it wants 3-D Secure: the same channel is tried once more, with a challenge.
// - The attempt was stored too late for its call: the same channel is tried once more. If the second attempt is late
//   too, the next channel is tried.
//
// After any other decline, an unknown outcome or a pending action of the payer, the order stays at its channel.
// See docs/decisions/0117-failover-to-the-next-channel.md.

import type { Gate } from '../../platform/concurrency/gate.ts'
import type { Refusal } from '../../platform/errors/catalogue.ts'
import { afterCommit } from '../../platform/postgres/outages.ts'
import type { Channel, Failed, Outcome } from '../../rails/contract/channel.ts'
import { type Routing, terminalAt } from '../../rails/routing/routing.ts'
import { isLeased, orUnknown } from '../orders/call-lease.ts'
import { type NewPayment, openOrderOf } from '../orders/new-order.ts'
import { type AttemptedOrder, type AttemptKey, attemptReference, payerExpiry } from '../orders/order.ts'
import { type AcceptDeps, acceptPayment } from './accept-payments.ts'
import { callIsLostAt, type Prepared } from './prepare-payment.ts'
import { type Recorded, type RecordingDeps, recordOutcome } from './record-outcomes.ts'

export type PaymentDeps = CallDeps & AcceptDeps

export type CallDeps = RecordingDeps & {
  readonly routing: Routing
  /** Our public address, with which all callback addresses begin. */
  readonly baseUrl: string
  /** The gate that admitted the request. The gate does not count a request as working during a channel call. */
  readonly gate: Pick<Gate, 'callBegan' | 'callEnded'>
}

type NewCall = Prepared & {
  /** The address to which the counterparty sends the payer's browser after the payer has acted. */
  readonly completeUrl: string
}

/** The data for the channel's call, the same for all attempts. The secrets are kept apart from the stored data. */
export type PaymentCall = Omit<NewCall, 'payment' | 'channels'> & {
  readonly payment: Pick<NewPayment, 'merNo' | 'tradeNo' | 'money' | 'details'>
}

/** An attempt that is committed as `calling`. */
export type CalledAttempt = AttemptKey & {
  /** The attempt's own channel, followed by the channels to try after it, in that order. */
  readonly channels: readonly Channel[]
  /** The time from which the resolver counts the attempt's call as lost. */
  readonly lostAt: Date | undefined
  /** True if the issuer of the card must challenge the payer by 3-D Secure. */
  readonly challenge: boolean | undefined
  /** The order as it was accepted with this attempt. If undefined, the order is read before the outcome is recorded. */
  readonly accepted?: AttemptedOrder | undefined
  /** True if the previous attempt was stored too late for its call. */
  readonly wasLate?: boolean
}

export type Called = { readonly outcome: Outcome; readonly recorded: Recorded }

export type Made = { readonly refusal: Refusal } | (Called & { readonly refusal?: undefined })

export async function makePayment(deps: PaymentDeps, call: NewCall): Promise<Made> {
  const accepted = await acceptPayment(deps, call.payment)
  if (accepted.kind === 'refused') return accepted
  const attempt = firstAttempt(call)
  const isCalled = call.payment.verdict?.refusal === undefined
  return afterCommit(isCalled ? callChannels(deps, call, attempt) : declineByRule(deps, attempt))
}

function firstAttempt({ payment, channels }: NewCall): CalledAttempt {
  const { merNo, tradeNo, attempt, verdict } = payment
  return {
    merNo,
    tradeNo,
    attemptNo: 1,
    channels,
    lostAt: attempt?.askAt,
    challenge: verdict?.challenges,
    accepted: attempt && openOrderOf(payment, attempt),
  }
}

// The outcome of an attempt that a risk rule refused. A bank's decline without a reason has the same message, so that
// the message does not show whether a rule or a bank declined.
const DECLINED: Outcome = { kind: 'failed', cause: 'declined', message: 'Declined' }

/** Records that a risk rule refused the attempt. No channel is called. */
export async function declineByRule(deps: RecordingDeps, attempt: CalledAttempt): Promise<Called> {
  const { accepted } = attempt
  const recorded = await recordOutcome(deps, ownChannel(attempt), attempt, DECLINED, { accepted })
  return { outcome: DECLINED, recorded }
}

function ownChannel({ channels: [channel] }: CalledAttempt): Channel {
  if (channel === undefined) throw new Error('broken invariant: an attempt has a channel')
  return channel
}

/**
 * The outcome of an attempt that was stored so late that its call might end after `lostAt`. From `lostAt` on, another
 * node may ask the channel, which does not know the attempt, and then the attempt fails. Only this process could make
 * the call, and it does not make the call, so nothing is ever charged for this attempt.
 */
const LATE: Failed = {
  kind: 'failed',
  cause: 'unreachable',
  isLocal: true,
  message: 'It was stored too late to be sent',
}

/**
 * Calls the channel and records the outcome (steps 2 and 3), for an attempt that is committed as `calling`. Continues
 * with the next attempt, if there is one.
 */
export async function callChannels(
  deps: CallDeps,
  call: PaymentCall,
  attempt: CalledAttempt,
): Promise<Called> {
  const channel = ownChannel(attempt)
  const calledAtMs = performance.now()
  const outcome = await start(deps, call, attempt, channel)
  deps.routing.opened(channel, outcome, performance.now() - calledAtMs)
  const next = nextOf(call, attempt, outcome)
  const also = {
    accepted: attempt.accepted,
    next: next && { channel: next.name, askAt: callIsLostAt(deps.clock.now(), next) },
  }
  const recorded = await recordOutcome(deps, channel, attempt, outcome, also)
  const { nextAttemptNo: attemptNo } = recorded
  if (attemptNo === undefined) return { outcome, recorded }
  return callChannels(deps, call, {
    ...attempt,
    attemptNo,
    channels: next === channel ? attempt.channels : attempt.channels.slice(1),
    lostAt: also.next?.askAt,
    challenge: isSoftDecline(outcome) || attempt.challenge,
    accepted: undefined,
    wasLate: outcome === LATE,
  })
}

/** Returns the channel of the next attempt, if the outcome allows another attempt. */
function nextOf(
  { secrets: { card } }: PaymentCall,
  { channels: [own, other], challenge, wasLate }: CalledAttempt,
  outcome: Outcome,
): Channel | undefined {
  // A late attempt is repeated only once at its channel, because the database may stay slow.
  if (outcome === LATE && wasLate !== true) return own
  if (!isSoftDecline(outcome)) return other
  // A challenge is tried only once. The challenge needs the card, and the card is in memory only during this call.
  return card !== undefined && challenge !== true ? own : undefined
}

function isSoftDecline(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.advice === 'challenge'
}

/**
 * Calls the channel if the call will end before `lostAt`. Unlike a refund or a payout, a payment does not renew a lease
 * in the database before its call. The statement would cost every payment a round trip, and time would still pass
 * between the statement and the call. Without the lease, a machine that was suspended together with its clock may
 * charge for an attempt that another node has ended. Refunds and payouts need the lease, because they send money out.
 */
async function start(
  { clock, gate, baseUrl }: CallDeps,
  { payment, secrets, terminals, merchantName, completeUrl }: PaymentCall,
  { attemptNo, lostAt, challenge }: CalledAttempt,
  channel: Channel,
): Promise<Outcome> {
  if (lostAt !== undefined && !isLeased(clock, channel.traits, lostAt)) return LATE
  gate.callBegan()
  try {
    return await orUnknown('channel', () =>
      channel.start({
        reference: attemptReference(payment.tradeNo, attemptNo),
        merNo: payment.merNo,
        money: payment.money,
        details: payment.details,
        personal: secrets.personal,
        card: secrets.card,
        walletToken: secrets.walletToken,
        terminal: terminalAt(channel, terminals) ?? terminals[0],
        merchantName,
        completeUrl,
        callbackUrl: `${baseUrl}/callbacks/${channel.name}`,
        expiresAt: payerExpiry(clock.now(), channel.traits.awaitsPayerMinutes),
        challenge,
      }),
    )
  } finally {
    gate.callEnded()
  }
}
