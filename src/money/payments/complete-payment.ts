// The payer returns from the channel's page. The channel gets the fields of the return request, and the outcome that
// the channel reports is recorded. Even if the page asks many times, a process makes at most one channel call per order
// at a time (`payerCalls`).

import type { Gate } from '../../platform/concurrency/gate.ts'
import type { SingleFlight } from '../../platform/concurrency/single-flight.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { AttemptRef } from '../../rails/contract/channel.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { type FoundAttempt, type FoundPayment, findPayment } from '../order-queries/find-payment.ts'
import { orUnknown } from '../orders/call-lease.ts'
import { attemptReference, type OrderKey } from '../orders/order.ts'
import { type RecordingDeps, recordOutcome } from './record-outcomes.ts'

export type CompleteDeps = RecordingDeps & {
  readonly db: Db
  readonly channels: Channels
  readonly gate: Gate
  readonly payerCalls: PayerCalls
}

/** Runs the channel calls that payers' pages cause, one at a time per order. The result is the order after the call. */
export type PayerCalls = SingleFlight<FoundPayment | undefined>

type Answer = Readonly<Record<string, string>>

/**
 * Passes the return request to the channel, records the outcome, and returns the resulting order. If no attempt is
 * pending, or its channel is not configured, the order stays unchanged.
 */
export function completePayment(
  deps: CompleteDeps,
  key: OrderKey,
  answer: Answer,
): Promise<FoundPayment | undefined> {
  const request = `complete ${JSON.stringify(answer)}`
  return deps.payerCalls.run(key.tradeNo, request, () => complete(deps, key, answer))
}

async function complete(
  deps: CompleteDeps,
  key: OrderKey,
  answer: Answer,
): Promise<FoundPayment | undefined> {
  const payment = await findPayment(deps.db, key)
  if (payment?.attempt?.state !== 'pending') return payment
  const { attempt } = payment
  const channel = deps.channels.named(attempt.channel, payment.method)
  if (channel === undefined) return payment
  await deps.gate.count(async () => {
    const outcome = await orUnknown('channel', () =>
      channel.complete({ ...attemptRef(payment, attempt), answer }),
    )
    await recordOutcome(deps, channel, { ...key, attemptNo: attempt.no }, outcome)
  })
  return findPayment(deps.db, key)
}

/** Returns the fields that identify the attempt at its channel. */
export function attemptRef(
  payment: Pick<FoundPayment, 'tradeNo' | 'money'>,
  attempt: Pick<FoundAttempt, 'no' | 'channelRef' | 'action'>,
): AttemptRef {
  const reference = attemptReference(payment.tradeNo, attempt.no)
  const { channelRef, action } = attempt
  return {
    reference,
    money: payment.money,
    ...(channelRef !== undefined && { channelRef }),
    ...(action !== undefined && { action }),
  }
}
