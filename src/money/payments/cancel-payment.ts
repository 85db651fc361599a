// The payer cancels on our page: either one attempt, to pay by another method, or the whole order. A pending attempt is
// first cancelled at its channel. If the channel reports a success, the order is paid. If the outcome is unknown, the
// attempt stays open.
//
// Invariant: an order with an open attempt is never closed here, because the channel decides the attempt. The order's
// lock guarantees this invariant, because starting an attempt takes the same lock.

import type { Clock } from '../../platform/base/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Channel, Failed, Outcome } from '../../rails/contract/channel.ts'
import { openStore } from '../../rails/toolkit/records/store.ts'
import { type FoundAttempt, type FoundPayment, findPayment } from '../order-queries/find-payment.ts'
import { orUnknown } from '../orders/call-lease.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import { cancelAgainAt } from '../orders/open-attempts.ts'
import {
  type AttemptKey,
  attemptReference,
  isBusy,
  isDecided,
  type Order,
  type OrderKey,
  State,
} from '../orders/order.ts'
import { changeOrders } from '../orders/write-changes.ts'
import { attemptRef, type CompleteDeps } from './complete-payment.ts'
import { CANCELLED } from './decide-outcome.ts'
import { callIsLostAt } from './prepare-payment.ts'
import { recordOutcome } from './record-outcomes.ts'

export type CancelDeps = CompleteDeps & {
  readonly pokeDelivery: () => void
}

/**
 * Cancels the order or its attempt, and returns the resulting order. Cancelling an attempt leaves the order open. The
 * attempt is not cancelled if no further attempt is possible.
 */
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

/** True if the payer can start another attempt after cancelling the current one. */
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
  // If the payer cancels the order, the payer has left, so the resolver must retry the cancellation. A payer who wants
  // another method can cancel again on the page.
  if (what === 'order') await wantCancellation(deps, channel, key)
  const outcome = await orUnknown('channel', () => channel.cancel(attemptRef(payment, attempt)))
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

async function close(deps: CancelDeps, key: OrderKey): Promise<void> {
  const closed = await closeOrders(deps.db, [key], { message: CANCELLED, at: deps.clock.now() })
  if (closed > 0) deps.pokeDelivery()
}

type Closing = { readonly message: string; readonly at: Date }

/** Cancels the payments that are in process and have no open attempt. Returns the number of cancelled payments. */
export async function closeOrders(db: Db, keys: readonly OrderKey[], closing: Closing): Promise<number> {
  if (keys.length === 0) return 0
  return db.transaction(async (tx) => {
    const orders = [...(await lockOrders(tx, keys)).values()].filter(mayClose)
    await changeOrders(
      tx,
      orders.map((order) => ({ order, state: State.cancelled, ...closing })),
    )
    return orders.length
  })
}

function mayClose(order: Order): boolean {
  return order.kind === 'payment' && order.state === State.processing && !isBusy(order)
}

// The functions below store that the payer cancelled an order. The record is kept until the attempt is decided. Only
// channels with `askWaiting` need it. The resolver asks such a channel about a pending attempt, and cancels the attempt
// before the end of the payer's time only if there is a record.

type CancellationDeps = { readonly db: Db; readonly clock: Clock }

const recordOf = ({ tradeNo, attemptNo }: AttemptKey) => {
  return { kind: 'cancelled-by-payer', key: attemptReference(tradeNo, attemptNo) }
}

/**
 * Records the cancellation and the time of its retry. The record and the time are written before the channel is called,
 * so that a crash does not lose the cancellation.
 */
async function wantCancellation(deps: CancellationDeps, channel: Channel, key: AttemptKey): Promise<void> {
  if (channel.askWaiting !== undefined)
    await openStore(deps, channel.name).write([{ add: { ...recordOf(key), body: {} } }])
  await cancelAgainAt(deps.db, key, callIsLostAt(deps.clock.now(), channel))
}

/** Removes the record of a cancellation. Call this once the attempt is decided. */
export async function forgetCancellation(
  deps: CancellationDeps,
  channel: Channel,
  key: AttemptKey,
): Promise<void> {
  if (channel.askWaiting !== undefined) await openStore(deps, channel.name).write([{ remove: recordOf(key) }])
}

export async function isCancellationWanted(
  deps: CancellationDeps,
  channel: Channel,
  key: AttemptKey,
): Promise<boolean> {
  return (await openStore(deps, channel.name).find(recordOf(key))) !== undefined
}
