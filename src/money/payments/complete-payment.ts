// The payer returns from the channel's page. The channel gets the fields of the return request, and its outcome is recorded.
//
// However often the payer's page asks, an order has one channel call in progress: see `payerCalls`.

import type { AttemptRef } from '../channels/contract.ts'
import type { Channels } from '../channels/routing.ts'
import type { Gate } from '../concurrency/gate.ts'
import type { SingleFlight } from '../concurrency/single-flight.ts'
import { type FoundAttempt, type FoundPayment, findPayment } from '../order-queries/find-payment.ts'
import { attemptReference, type OrderKey } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
import { orUnknown, type RecordingDeps, recordOutcome } from './make-payment.ts'

export type CompleteDeps = RecordingDeps & {
  readonly db: Db
  readonly channels: Channels
  readonly gate: Gate
  /** Channel calls on behalf of payers' pages, one per order at a time. */
  readonly payerCalls: PayerCalls
}

/** Returns the order afterwards. */
export type PayerCalls = SingleFlight<FoundPayment | undefined>

type Answer = Readonly<Record<string, string>>

/** A second return, or a return to a decided order, changes nothing. */
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
    const outcome = await orUnknown(channel.complete({ ...attemptRef(payment, attempt), answer }))
    await recordOutcome(deps, channel, { ...key, attemptNo: attempt.no }, outcome)
  })
  return findPayment(deps.db, key)
}

/** The references of the attempt at the channel. */
export function attemptRef(
  payment: Pick<FoundPayment, 'tradeNo' | 'money'>,
  attempt: FoundAttempt,
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
