// Money moves in three steps: accept the order and commit; call the channel; record the outcome and commit.
// The card is in memory only during the second step. After a crash in it, the resolver asks the channel about the attempt.
//
// If the channel itself fails before the payer has acted, the order goes to the next channel in a new attempt. If the issuer
// declines because it wants 3-D Secure, the order goes to the same channel once more, with a challenge. An attempt that was
// stored too late to be called is followed by another one at its channel, once. After any other decline, an unknown outcome or a
// pending payer's action the order stays.

import type { Clock } from '../base/clock.ts'
import { whyOf } from '../base/why.ts'
import type { Alarms } from '../channels/alarms.ts'
import type { CardDetails, Channel, Failed, Outcome, StartRequest } from '../channels/contract.ts'
import { type Routing, terminalAt } from '../channels/routing.ts'
import type { Terminals } from '../channels/terminal.ts'
import type { Gate } from '../concurrency/gate.ts'
import type { Refusal } from '../errors/catalogue.ts'
import { isLeased } from '../orders/ask-again.ts'
import { type NewPayment, openOrderOf } from '../orders/new-order.ts'
import { type AttemptedOrder, type AttemptKey, attemptReference, payerExpiry } from '../orders/order.ts'
import type { Batches } from './batches.ts'
import type { ForbidCard } from './forbid-card.ts'
import { callIsLostAt } from './prepare-payment.ts'
import type { OutcomeReport, Recorded } from './record-outcomes.ts'

export type PaymentDeps = CallDeps & { readonly batches: Batches }

export type PaymentCall = {
  readonly payment: NewPayment
  /** In the order to try them. The payment's first attempt is at the first one. */
  readonly channels: readonly Channel[]
  readonly terminals: Terminals
  readonly card: CardDetails | undefined
  readonly walletToken: string | undefined
  readonly personal: Readonly<Record<string, unknown>>
  readonly merchantName: string
  readonly completeUrl: string
}

export type Made = { readonly refusal: Refusal } | (Called & { readonly refusal?: undefined })

export async function makePayment(deps: PaymentDeps, wanted: PaymentCall): Promise<Made> {
  const accepted = await deps.batches.accept.submit(wanted.payment)
  if (accepted.kind === 'refused') return accepted
  const call = callOf(wanted)
  return wanted.payment.verdict?.refusal === undefined ? callChannels(deps, call) : declineByRule(deps, call)
}

function callOf(wanted: PaymentCall): Call {
  const { payment, channels, terminals, card, walletToken, personal, merchantName, completeUrl } = wanted
  const { merNo, tradeNo, money, details, attempt } = payment
  return {
    merNo,
    tradeNo,
    attemptNo: 1,
    channels,
    terminals,
    money,
    card,
    walletToken,
    personal,
    details,
    merchantName,
    completeUrl,
    challenge: payment.verdict?.challenges,
    accepted: attempt && openOrderOf(payment, attempt),
    lostAt: attempt?.askAt,
  }
}

/** For an order that waits on our page: it is only accepted. */
export async function makeHosted(
  { batches }: Pick<PaymentDeps, 'batches'>,
  payment: NewPayment,
): Promise<Refusal | undefined> {
  const accepted = await batches.accept.submit(payment)
  return accepted.kind === 'refused' ? accepted.refusal : undefined
}

export type CallDeps = RecordingDeps & {
  readonly routing: Routing
  /** Our public address; callback addresses begin with it. */
  readonly baseUrl: string
  /** The order's merchant has entered. */
  readonly gate: Pick<Gate, 'callBegan' | 'callEnded'>
}

export type RecordingDeps = {
  readonly batches: Pick<Batches, 'record'>
  readonly clock: Clock
  /** Called when an operator must check something. */
  readonly alarm: (tradeNo: string, what: string) => void
  /** For what a channel may report again and again. */
  readonly alarmsOf: (channel: string) => Alarms
  /** Called when the network forbids to try the attempt's card again. */
  readonly forbidCard: ForbidCard
}

/** One order and the channels to call. */
export type Call = Omit<
  StartRequest,
  'reference' | 'callbackUrl' | 'expiresAt' | 'terminal' | 'card' | 'walletToken'
> & {
  readonly tradeNo: string
  readonly attemptNo: number
  /** The attempt's own channel first. */
  readonly channels: readonly Channel[]
  /** The payer's terminals, the best one first. Each channel uses the first that it serves. */
  readonly terminals: Terminals
  readonly card: CardDetails | undefined
  readonly walletToken: string | undefined
  /** The order as it was accepted with this attempt. If undefined, it is read before the outcome is recorded. */
  readonly accepted?: AttemptedOrder | undefined
  /** From this time on the resolver counts the attempt's call as lost. */
  readonly lostAt: Date | undefined
  /** An attempt of this call was stored too late, and this is another one at the same channel. */
  readonly wasLate?: boolean
}

export type Called = { readonly outcome: Outcome; readonly recorded: Recorded }

/** A bank that gives no reason declines with the same words: nobody outside can tell a rule from a bank. */
const DECLINED: Outcome = { kind: 'failed', cause: 'declined', message: 'Declined' }

/** The third step without the second: a risk rule refuses the attempt, and no channel is called. */
export async function declineByRule(deps: RecordingDeps, call: Call): Promise<Called> {
  const recorded = await recordOutcome(deps, ownChannel(call), call, DECLINED, { accepted: call.accepted })
  return { outcome: DECLINED, recorded }
}

function ownChannel({ channels: [channel] }: Call): Channel {
  if (channel === undefined) throw new Error('broken invariant: an attempt has a channel')
  return channel
}

/**
 * To store it took too long: another node may have asked, and ended an attempt that the channel did not have. Only we would have
 * called, so nothing was charged, and nothing will be.
 */
const LATE: Failed = {
  kind: 'failed',
  cause: 'unreachable',
  isLocal: true,
  message: 'It was stored too late to be sent',
}

/** The second and third steps, for an attempt that is committed as `calling`. */
export async function callChannels(deps: CallDeps, call: Call): Promise<Called> {
  const channel = ownChannel(call)
  const calledAtMs = performance.now()
  const outcome = await start(deps, call, channel)
  deps.routing.opened(channel, outcome, performance.now() - calledAtMs)
  const next = nextOf(call, outcome)
  const also = {
    accepted: call.accepted,
    next: next && { channel: next.name, askAt: callIsLostAt(deps.clock.now(), next) },
  }
  const recorded = await recordOutcome(deps, channel, call, outcome, also)
  const { nextAttemptNo: attemptNo } = recorded
  if (attemptNo === undefined) return { outcome, recorded }
  return callChannels(deps, {
    ...call,
    attemptNo,
    accepted: undefined,
    lostAt: also.next?.askAt,
    channels: next === channel ? call.channels : call.channels.slice(1),
    challenge: isSoftDecline(outcome) || call.challenge,
    wasLate: outcome === LATE,
  })
}

/** The channel to try after this outcome, if it passes the order on. */
function nextOf(
  { channels: [own, other], card, challenge, wasLate }: Call,
  outcome: Outcome,
): Channel | undefined {
  // Once: a database that stays slow is not given more to do.
  if (outcome === LATE && wasLate !== true) return own
  if (!isSoftDecline(outcome)) return other
  // A challenge is tried once, and needs the card, which is in memory during this call only.
  return card !== undefined && challenge !== true ? own : undefined
}

function isSoftDecline(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.advice === 'challenge'
}

function forbidsCard(outcome: Outcome, { changed }: Recorded): boolean {
  return changed && outcome.kind === 'failed' && outcome.advice === 'never'
}

async function start(deps: CallDeps, call: Call, channel: Channel): Promise<Outcome> {
  if (call.lostAt !== undefined && !isLeased(deps.clock, channel.traits, call.lostAt)) return LATE
  deps.gate.callBegan()
  try {
    return await orUnknown(channel.start(toRequest(deps, call, channel)))
  } finally {
    deps.gate.callEnded()
  }
}

function toRequest({ clock, baseUrl }: CallDeps, call: Call, channel: Channel): StartRequest {
  const { terminals } = call
  return {
    merNo: call.merNo,
    money: call.money,
    personal: call.personal,
    details: call.details,
    terminal: terminalAt(channel, terminals) ?? terminals[0],
    merchantName: call.merchantName,
    completeUrl: call.completeUrl,
    reference: attemptReference(call.tradeNo, call.attemptNo),
    expiresAt: payerExpiry(clock.now(), channel.traits.awaitsPayerMinutes),
    callbackUrl: `${baseUrl}/callbacks/${channel.name}`,
    card: call.card,
    walletToken: call.walletToken,
    challenge: call.challenge,
  }
}

/** A channel must not throw; if it does, the outcome is unknown. */
export function orUnknown(outcome: Promise<Outcome>): Promise<Outcome> {
  return outcome.catch(toUnknown)
}

function toUnknown(error: unknown): Outcome {
  return { kind: 'unknown', why: `the channel's code failed: ${whyOf(error)}` }
}

type Also = Pick<OutcomeReport, 'keepsOrder' | 'cancels' | 'next' | 'accepted'>

export async function recordOutcome(
  deps: RecordingDeps,
  channel: Channel,
  attempt: AttemptKey,
  outcome: Outcome,
  also: Also = {},
): Promise<Recorded> {
  const recorded = await deps.batches.record.submit(reportOf(deps, channel, attempt, outcome, also))
  await raiseAlarms(deps, channel, attempt, recorded)
  if (forbidsCard(outcome, recorded)) await deps.forbidCard(attempt)
  return recorded
}

function reportOf(
  { clock }: RecordingDeps,
  { traits, askWaiting }: Channel,
  { merNo, tradeNo, attemptNo }: AttemptKey,
  outcome: Outcome,
  { keepsOrder, cancels, next, accepted }: Also,
): OutcomeReport {
  const { awaitsPayerMinutes } = traits
  const asksWaiting = askWaiting !== undefined
  const at = clock.now()
  return {
    merNo,
    tradeNo,
    attemptNo,
    outcome,
    at,
    awaitsPayerMinutes,
    asksWaiting,
    keepsOrder,
    cancels,
    next,
    accepted,
  }
}

async function raiseAlarms(
  { alarm, alarmsOf }: RecordingDeps,
  { name }: Channel,
  { tradeNo }: AttemptKey,
  recorded: Recorded,
): Promise<void> {
  if (recorded.alarm !== undefined) alarm(tradeNo, recorded.alarm)
  for (const { key, what } of recorded.doubts) await alarmsOf(name).raise(key, { reference: tradeNo, what })
}
