// Money moves in three steps: accept the order and commit; call the channel; record the outcome and commit.
// The card is in memory for the middle step only. A crash after the first leaves an attempt that the resolver asks about.
import { Overloaded } from '../base/batch.ts'
import type { Clock } from '../base/clock.ts'
import type { Refusal } from '../base/error.ts'
import type { CardDetails, Channel, Outcome } from '../channels/contract.ts'
import type { Batches } from './batches.ts'
import type { NewPayment } from './new-payment.ts'
import { attemptReference } from './payment.ts'
import type { Recorded } from './record-outcomes.ts'

export type PaymentDeps = {
  readonly batches: Batches
  readonly clock: Clock
  readonly gate: Gate
  /** Something that people must look at. */
  readonly alarm: (tradeNo: string, what: string) => void
}

/** How many payments are under way at most; beyond it callers are told to come back. */
export type Gate = { readonly most: number; underWay: number }

export type PaymentCall = {
  readonly payment: NewPayment
  readonly channel: Channel
  readonly card: CardDetails | undefined
  readonly completeUrl: string
}

export type Made =
  | { readonly refusal: Refusal }
  | { readonly refusal?: undefined; readonly outcome: Outcome; readonly recorded: Recorded }

export async function makePayment(deps: PaymentDeps, call: PaymentCall): Promise<Made> {
  if (deps.gate.underWay >= deps.gate.most) throw new Overloaded()
  deps.gate.underWay++
  try {
    const accepted = await deps.batches.accept.submit(call.payment)
    if (accepted.kind === 'refused') return { refusal: accepted.refusal }
    const outcome = await start(call)
    return {
      outcome,
      recorded: await recordOutcome(deps, call.channel, { ...call.payment, attemptNo: 1 }, outcome),
    }
  } finally {
    deps.gate.underWay--
  }
}

function start({ payment, channel, card, completeUrl }: PaymentCall): Promise<Outcome> {
  const request = {
    reference: attemptReference(payment.tradeNo, 1),
    money: payment.money,
    merNo: payment.merNo,
    details: payment.details,
    completeUrl,
  }
  return surely(channel.start(card === undefined ? request : { ...request, card }))
}

/** A channel that breaks its promise and throws has told nothing: unknown. */
export function surely(outcome: Promise<Outcome>): Promise<Outcome> {
  return outcome.catch((error: Error) => ({
    kind: 'unknown',
    why: `the channel's code failed: ${error.message}`,
  }))
}

export async function recordOutcome(
  deps: Pick<PaymentDeps, 'batches' | 'clock' | 'alarm'>,
  channel: Channel,
  attempt: { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number },
  outcome: Outcome,
): Promise<Recorded> {
  const { merNo, tradeNo, attemptNo } = attempt
  const { awaitsPayerMinutes } = channel.traits
  const recorded = await deps.batches.record.submit({
    merNo,
    tradeNo,
    attemptNo,
    outcome,
    at: deps.clock.now(),
    awaitsPayerMinutes,
  })
  if (recorded.alarm !== undefined) deps.alarm(tradeNo, recorded.alarm)
  return recorded
}
