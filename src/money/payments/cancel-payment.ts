// The payer cancels on our page: one attempt, to pay by another method, or the whole order. The channel is asked first. A
// payment that succeeded meanwhile counts, and an attempt that the channel does not certainly cancel stays open.

import type { Failed, Outcome } from '../channels/contract.ts'
import { type FoundAttempt, type FoundPayment, findPayment } from '../order-queries/find-payment.ts'
import { isDecided, type OrderKey, State } from '../orders/order.ts'
import { closeOrders } from './close-orders.ts'
import { attemptRef, type CompleteDeps } from './complete-payment.ts'
import { CANCELLED } from './decide-outcome.ts'
import { orUnknown, recordOutcome } from './make-payment.ts'
import { forgetCancellation, wantCancellation } from './want-cancellation.ts'

export type CancelDeps = CompleteDeps & {
  /** Called when there are new notifications to deliver. */
  readonly pokeDelivery: () => void
}

/** Returns the order afterwards. `attempt` leaves the order open, which requires that another attempt is possible. */
export function cancelPayment(
  deps: CancelDeps,
  key: OrderKey,
  what: 'order' | 'attempt',
): Promise<FoundPayment | undefined> {
  return deps.payerCalls.run(key.tradeNo, `cancel ${what}`, () => cancel(deps, key, what))
}

async function cancel(
  deps: CancelDeps,
  key: OrderKey,
  what: 'order' | 'attempt',
): Promise<FoundPayment | undefined> {
  const payment = await findPayment(deps.db, key)
  if (payment === undefined || payment.state !== State.processing) return payment
  if (what === 'attempt' && !maySwitch(payment)) return payment
  await deps.gate.count(async () => {
    const { attempt } = payment
    if (attempt?.state === 'pending') await cancelAttempt(deps, payment, attempt, what)
    if (what === 'order') await close(deps, key)
  })
  return findPayment(deps.db, key)
}

/** Whether the payer can start another attempt after cancelling this one. */
export function maySwitch(payment: FoundPayment): boolean {
  return payment.hosted !== undefined && payment.attempts < payment.maxAttempts
}

async function cancelAttempt(
  deps: CancelDeps,
  payment: FoundPayment,
  attempt: FoundAttempt,
  what: 'order' | 'attempt',
): Promise<void> {
  const channel = deps.channels.named(attempt.channel, payment.method)
  if (channel === undefined) return
  const key = { merNo: payment.merNo, tradeNo: payment.tradeNo, attemptNo: attempt.no }
  // A payer who wants another method can ask again on the page; one who has left cannot.
  if (what === 'order') await wantCancellation(deps, channel, key)
  const outcome = await orUnknown(channel.cancel(attemptRef(payment, attempt)))
  const recorded = await recordOutcome(
    deps,
    channel,
    key,
    inOurWords(outcome),
    what === 'attempt' ? { keepsOrder: true } : { cancels: true },
  )
  if (what === 'order' && isDecided(recorded.attemptState)) await forgetCancellation(deps, channel, key)
}

function inOurWords(outcome: Outcome): Outcome {
  const isCancelled = (one: Outcome): one is Failed => one.kind === 'failed' && one.cause === 'cancelled'
  return isCancelled(outcome) ? { ...outcome, message: CANCELLED } : outcome
}

/** Ends the order if no attempt is open: there was none, or the last one failed. */
async function close(deps: CancelDeps, key: OrderKey): Promise<void> {
  const closed = await closeOrders(deps.db, [key], { message: CANCELLED, at: deps.clock.now() })
  if (closed > 0) deps.pokeDelivery()
}
