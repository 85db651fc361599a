// Owns deposits; each is stored once. Deposits that pay their order are used for it. All others go to suspense: late ones,
// those that were too little when their attempt ended, and surplus.
//
// Invariant: the amount booked for an attempt is the larger of what its channel reported and what its statements listed,
// never the sum of both. Statements are booked in src/reconciliation/ under the same lock.
//
// The caller has locked the order, so no other transaction reads or uses its deposits meanwhile.

import type { Money } from '../../base/money.ts'
import type { Deposit, Outcome } from '../../channels/contract.ts'
import type { AttemptedOrder, Order } from '../../orders/order.ts'
import { attemptReference, isDecided } from '../../orders/order.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'
import { bookedFor, bookSuspense, type NewSuspense } from '../../suspense/book-suspense.ts'
import type { SuspenseCause } from '../../suspense/suspense.ts'
import type { Decision } from '../decide-outcome.ts'
import { depositsOf, receivedFieldsOf } from './deposit.ts'
import {
  claimDeposits,
  moveDeposits,
  saveDeposits,
  selectLastTransfer,
  sumReported,
  type WaitingDeposit,
} from './sql.ts'

/** A report on an order, its unused deposits, and the decision. */
export type Reported = {
  readonly order: AttemptedOrder
  readonly outcome: Outcome
  readonly waiting: readonly WaitingDeposit[]
  readonly decision: Decision
  readonly at: Date
}

/**
 * Stores new deposits and returns all unused deposits of the order's attempt. Decisions use these, so an older message that
 * arrives after a newer one takes nothing away.
 */
export async function storeDeposits(
  tx: Tx,
  order: AttemptedOrder,
  outcome: Outcome,
  at: Date,
): Promise<StoredDeposits> {
  const all = [...depositsOf(outcome), ...lateSuccess(order, outcome, at)]
  const deposits = all.filter(isPossible)
  const excessive = all.filter((one) => !isPossible(one)).map(excessiveDoubt)
  if (deposits.length === 0 && order.received === 0n) return { waiting: [], doubts: excessive }
  const claimed = await claimDeposits(tx, order, deposits)
  const isOwn = ({ depositRef }: Deposit) => claimed.has(depositRef)
  const { waiting, changed, elsewhere } = await saveDeposits(tx, order, deposits.filter(isOwn))
  const foreign = [...deposits.filter((one) => !isOwn(one)), ...elsewhere]
  return {
    waiting,
    doubts: [...excessive, ...changed.map(changedDoubt), ...foreign.map((one) => foreignDoubt(order, one))],
  }
}

export type StoredDeposits = {
  readonly waiting: readonly WaitingDeposit[]
  readonly doubts: readonly Doubt[]
}

/** What an operator must look at, once however often the channel reports it; `key` names it within the channel. */
export type Doubt = { readonly key: string; readonly what: string }

/** No currency needs it for an order, and sums of thousands of such deposits fit into the database's integers. */
const MAX_DEPOSIT = 10n ** 15n

function isPossible({ money }: Deposit): boolean {
  return money.amount <= MAX_DEPOSIT
}

function excessiveDoubt({ depositRef, money }: Deposit): Doubt {
  return {
    key: `deposit ${depositRef} is ${money.amount} ${money.currency}`,
    what: `the channel reported ${depositRef} with an amount that no payment has: not counted`,
  }
}

function changedDoubt({ depositRef, money }: Deposit): Doubt {
  return {
    key: `deposit ${depositRef} is ${money.amount} ${money.currency}`,
    what: `the channel reported ${depositRef} with another amount or currency than before: the first report counts`,
  }
}

function foreignDoubt({ tradeNo, attempt }: AttemptedOrder, { depositRef }: Deposit): Doubt {
  return {
    key: `deposit ${depositRef} is for ${attemptReference(tradeNo, attempt.no)}`,
    what: `the channel reported ${depositRef} for this attempt, and before for another one or another order: not counted`,
  }
}

/** A success after the end of its attempt is late money, stored under the channel's own reference. */
function lateSuccess({ attempt }: AttemptedOrder, outcome: Outcome, at: Date): Deposit[] {
  if (outcome.kind !== 'succeeded' || attempt.state !== 'failed') return []
  return [{ depositRef: outcome.channelRef, money: outcome.money, at }]
}

/** The fields for merchants about the last transfer that paid an order; undefined if there is none. */
export async function findReceivedFields(
  db: Queryable,
  order: Order,
): Promise<Record<string, string> | undefined> {
  return receivedFieldsOf(order, await selectLastTransfer(db, order), order.received)
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

/** Leaves out money that was already booked from a statement before the channel reported it. */
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
  return subtract(items, unreported)
}

/** Pure: subtracts each currency's amount from the items, first ones first, and drops items that become zero. */
export function subtract(items: readonly NewSuspense[], amounts: ReadonlyMap<string, bigint>): NewSuspense[] {
  const left = new Map(amounts)
  return items.flatMap((item) => {
    const { amount, currency } = item.money
    const rest = left.get(currency) ?? 0n
    if (rest <= 0n) return [item]
    left.set(currency, rest - amount)
    return amount > rest ? [{ ...item, money: { amount: amount - rest, currency } }] : []
  })
}

/** Pure: which unused deposits pay the order, and what is booked to suspense. */
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

/** Money in another currency does not pay the order. */
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
