// Owns deposits: money that payers sent by themselves, each arrival once. What pays its order is taken; all else goes to
// suspense: what came too late, what was too little when its attempt ended, and what exceeds the amount.
//
// Invariant: what is booked for an attempt is what its channel reported or what its statements listed, whichever is more,
// and never both. Statements are booked in src/reconciliation/ under the same lock.
//
// Called with the order locked: nobody else reads or moves its deposits meanwhile.

import type { Money } from '../../base/money.ts'
import type { Deposit, Outcome } from '../../channels/contract.ts'
import type { AttemptedOrder, Order } from '../../orders/order.ts'
import { isDecided } from '../../orders/order.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'
import { bookedFor, bookSuspense, type NewSuspense } from '../../suspense/book-suspense.ts'
import type { SuspenseCause } from '../../suspense/suspense.ts'
import type { Decision } from '../decide-outcome.ts'
import { arrivalOf, depositsOf } from './deposit.ts'
import {
  claimDeposits,
  moveDeposits,
  saveDeposits,
  selectArrival,
  sumReported,
  type WaitingDeposit,
} from './sql.ts'

/** A report on an order, the deposits that wait to be used, and what was decided. */
export type Reported = {
  readonly order: AttemptedOrder
  readonly outcome: Outcome
  readonly waiting: readonly WaitingDeposit[]
  readonly decision: Decision
  readonly at: Date
}

/**
 * Keeps what was not known before; all that waits for this order's attempt. What is decided is decided on these: an older
 * message that overtakes a newer one takes nothing away.
 */
export async function keepDeposits(
  tx: Tx,
  order: AttemptedOrder,
  outcome: Outcome,
  at: Date,
): Promise<KeptDeposits> {
  const deposits = [...depositsOf(outcome), ...lateSuccess(order, outcome, at)]
  if (deposits.length === 0 && order.received === 0n) return NOTHING_KEPT
  const claimed = await claimDeposits(tx, order, deposits)
  const own = deposits.filter(({ depositRef }) => claimed.has(depositRef))
  return {
    waiting: await saveDeposits(tx, order, own),
    alarm: own.length < deposits.length ? CLAIMED : undefined,
  }
}

export type KeptDeposits = {
  readonly waiting: readonly WaitingDeposit[]
  /** Set when some of it was reported for another order before, and counts there. */
  readonly alarm: string | undefined
}

const NOTHING_KEPT: KeptDeposits = { waiting: [], alarm: undefined }
const CLAIMED = 'the channel reported money for this order that it had reported for another one: not counted'

/** A success after its attempt had ended is money that came late; the channel knows it by its own reference. */
function lateSuccess({ attempt }: AttemptedOrder, outcome: Outcome, at: Date): Deposit[] {
  if (outcome.kind !== 'succeeded' || attempt.state !== 'failed') return []
  return [{ depositRef: outcome.channelRef, money: outcome.money, at }]
}

/** What the merchant reads about the last transfer that paid an order; undefined when none did. */
export async function findArrival(db: Queryable, order: Order): Promise<Record<string, string> | undefined> {
  return arrivalOf(order, await selectArrival(db, order), order.received)
}

export async function useDeposits(tx: Tx, reported: readonly Reported[]): Promise<void> {
  for (const one of reported) {
    if (one.waiting.length === 0) continue
    const { taken, suspense } = divide(one)
    const toBook = await withoutListed(tx, one.order, suspense)
    const isBooked = ({ depositRef }: WaitingDeposit) =>
      suspense.some((item) => item.reference === depositRef)
    await moveDeposits(tx, one.order, 'taken', taken)
    await moveDeposits(tx, one.order, 'suspense', one.waiting.filter(isBooked))
    await bookSuspense(tx, toBook)
  }
}

/** Leaves out what a statement listed, and had booked, before the channel reported it. */
async function withoutListed(
  tx: Tx,
  order: AttemptedOrder,
  items: readonly NewSuspense[],
): Promise<NewSuspense[]> {
  if (items.length === 0) return []
  const key = { merNo: order.merNo, tradeNo: order.tradeNo, attemptNo: order.attempt.no }
  const booked = await bookedFor(tx, key)
  if (booked.size === 0) return [...items]
  const reported = await sumReported(tx, key, order.money)
  const unreported = new Map<string, bigint>()
  for (const [currency, sums] of booked) {
    const rest = sums.booked - (reported.get(currency) ?? 0n)
    unreported.set(currency, rest < sums.listed ? rest : sums.listed)
  }
  return takeOff(items, unreported)
}

/** Pure: takes each currency's amount off the items, the first ones first; what is left of nothing is dropped. */
export function takeOff(items: readonly NewSuspense[], amounts: ReadonlyMap<string, bigint>): NewSuspense[] {
  const left = new Map(amounts)
  return items.flatMap((item) => {
    const { amount, currency } = item.money
    const rest = left.get(currency) ?? 0n
    if (rest <= 0n) return [item]
    left.set(currency, rest - amount)
    return amount > rest ? [{ ...item, money: { amount: amount - rest, currency } }] : []
  })
}

/** Pure: which of the waiting deposits pay the order, and what is booked to suspense. */
export function divide(reported: Reported): {
  readonly taken: readonly WaitingDeposit[]
  readonly suspense: readonly NewSuspense[]
} {
  const { order, decision, waiting } = reported
  const { attempt, money } = order
  const inSuspense = (why: SuspenseCause) => (deposit: WaitingDeposit) =>
    toSuspense(reported, deposit.depositRef, deposit.money, why)
  const foreign = waiting.filter((deposit) => deposit.money.currency !== money.currency)
  const own = waiting.filter((deposit) => deposit.money.currency === money.currency)
  const unmatched = foreign.map(inSuspense('unmatched'))
  if (isDecided(attempt.state)) {
    const why = attempt.state === 'succeeded' ? 'surplus' : 'late'
    return { taken: [], suspense: [...unmatched, ...own.map(inSuspense(why))] }
  }
  if (decision.attemptState === 'failed')
    return { taken: [], suspense: [...unmatched, ...own.map(inSuspense('short'))] }
  if (decision.attemptState !== 'succeeded') return { taken: [], suspense: unmatched }
  return { taken: own, suspense: [...unmatched, ...surplusOf(reported, own)] }
}

/** Money of another currency than the order's pays nothing of it. */
export function sumOf(deposits: readonly WaitingDeposit[], currency: string): bigint {
  return deposits.reduce((sum, { money }) => (money.currency === currency ? sum + money.amount : sum), 0n)
}

function surplusOf(reported: Reported, own: readonly WaitingDeposit[]): NewSuspense[] {
  const { currency, amount } = reported.order.money
  const surplus = sumOf(own, currency) - amount
  const last = own.at(-1)
  if (surplus <= 0n || last === undefined) return []
  return [toSuspense(reported, `surplus of ${last.depositRef}`, { amount: surplus, currency }, 'surplus')]
}

function toSuspense(
  { order, at }: Reported,
  reference: string,
  money: Money,
  why: SuspenseCause,
): NewSuspense {
  const { merNo, tradeNo, attempt } = order
  return {
    merNo,
    channel: attempt.channel,
    reference,
    attempt: { tradeNo, attemptNo: attempt.no },
    origin: 'channel',
    money,
    why,
    at,
  }
}
