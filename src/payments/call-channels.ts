// The middle step and the last: a channel is called for an attempt that is committed as `calling`, and the outcome is recorded.
// When the channel itself fails before any payer acted, the order goes on to the next channel, as a new attempt. A decline, an
// unknown outcome and a pending payer stay where they are.
import type { Clock } from '../base/clock.ts'
import type { CardDetails, Channel, Outcome, StartRequest } from '../channels/contract.ts'
import type { Routing } from '../channels/routing.ts'
import { terminalAt } from '../channels/serving.ts'
import type { Terminals } from '../channels/terminal.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { type AttemptKey, attemptReference } from '../orders/keys.ts'
import type { AttemptedOrder } from '../orders/order.ts'
import type { Batches } from './batches.ts'
import type { OutcomeReport, Recorded } from './record-outcomes.ts'

export type CallDeps = RecordingDeps & {
  readonly routing: Routing
  /** Our public address: counterparties report below it. */
  readonly baseUrl: string
}

export type RecordingDeps = {
  readonly batches: Pick<Batches, 'record'>
  readonly clock: Clock
  /** Something that people must look at. */
  readonly alarm: (tradeNo: string, what: string) => void
}

/** One order on its way to its channels. */
export type Call = Omit<
  StartRequest,
  'reference' | 'callbackUrl' | 'expiresAt' | 'terminal' | 'card' | 'walletToken'
> & {
  readonly tradeNo: string
  readonly attemptNo: number
  /** The first is the attempt's own. */
  readonly channels: readonly Channel[]
  /** Where the payer pays, the best first: each channel takes the first that it serves. */
  readonly terminals: Terminals
  readonly card: CardDetails | undefined
  readonly walletToken: string | undefined
  /** The order as it was accepted with this attempt; undefined: it is read before the outcome is recorded. */
  readonly accepted?: AttemptedOrder | undefined
}

export type Called = { readonly outcome: Outcome; readonly recorded: Recorded }

export async function callChannels(deps: CallDeps, call: Call): Promise<Called> {
  const [channel, next] = call.channels
  if (channel === undefined) throw new Error('broken promise: an attempt has a channel')
  const outcome = await surely(channel.start(toRequest(deps, call, channel)))
  deps.routing.opened(channel, outcome)
  const also = {
    accepted: call.accepted,
    next: next && { channel: next.name, askAt: callIsLostAt(deps.clock, next) },
  }
  const recorded = await deps.batches.record.submit(reportOf(deps, channel, call, outcome, also))
  tellAlarm(deps, call.tradeNo, recorded)
  const { nextAttemptNo: attemptNo } = recorded
  if (attemptNo === undefined) return { outcome, recorded }
  return callChannels(deps, { ...call, attemptNo, channels: call.channels.slice(1), accepted: undefined })
}

function toRequest({ clock, baseUrl }: CallDeps, call: Call, channel: Channel): StartRequest {
  const { merNo, money, terminals, card, walletToken, personal, details, merchantName, completeUrl } = call
  const awaitsMs = channel.traits.awaitsPayerMinutes * 60_000
  return {
    merNo,
    money,
    personal,
    details,
    terminal: terminalAt(channel, terminals) ?? terminals[0],
    merchantName,
    completeUrl,
    reference: attemptReference(call.tradeNo, call.attemptNo),
    expiresAt: new Date(clock.now().getTime() + awaitsMs),
    callbackUrl: `${baseUrl}/callbacks/${channel.name}`,
    card,
    walletToken,
  }
}

/** From then on the resolver takes a call that begins now for lost. */
export function callIsLostAt(clock: Clock, channel: Channel): Date {
  return new Date(clock.now().getTime() + channel.traits.timeoutMs + CALL_GRACE_MS)
}

/** A channel must not throw; if it does, the outcome is unknown. */
export function surely(outcome: Promise<Outcome>): Promise<Outcome> {
  return outcome.catch(toUnknown)
}

function toUnknown(error: Error): Outcome {
  return { kind: 'unknown', why: `the channel's code failed: ${error.message}` }
}

type Also = Pick<OutcomeReport, 'keepsOrder' | 'next' | 'accepted'>

export async function recordOutcome(
  deps: RecordingDeps,
  channel: Channel,
  attempt: AttemptKey,
  outcome: Outcome,
  also: Also = {},
): Promise<Recorded> {
  const recorded = await deps.batches.record.submit(reportOf(deps, channel, attempt, outcome, also))
  tellAlarm(deps, attempt.tradeNo, recorded)
  return recorded
}

function reportOf(
  { clock }: RecordingDeps,
  { traits }: Channel,
  { merNo, tradeNo, attemptNo }: AttemptKey,
  outcome: Outcome,
  { keepsOrder, next, accepted }: Also,
): OutcomeReport {
  const { awaitsPayerMinutes } = traits
  const at = clock.now()
  return { merNo, tradeNo, attemptNo, outcome, at, awaitsPayerMinutes, keepsOrder, next, accepted }
}

function tellAlarm({ alarm }: RecordingDeps, tradeNo: string, recorded: Recorded): void {
  if (recorded.alarm !== undefined) alarm(tradeNo, recorded.alarm)
}
