// Owns deposits, with the statements in sql.ts. Each deposit is stored once, and waits until it pays its order or goes
// to suspense. These deposits go to suspense: late deposits, deposits that were too little when their attempt failed,
// surplus, and deposits in another currency than the order's.
//
// Invariant: the amount booked for an attempt is the larger of the amount that its channel reported and the amount that
// its statements listed, never the sum of both. A reversal on a statement reduces both amounts. Money that an operator
// stated counts only until the channel reports it.
//
// The caller has locked the order, so no other transaction changes the order's deposits before the commit.
// Reconciliation books the money of statements under the same lock.
// See docs/decisions/0159-arrived-money-is-matched-by-attempt.md and docs/decisions/0364-deposits-by-attempt.md.
import type { Money } from '../../../platform/base/money.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Deposit, Outcome } from '../../../rails/contract/channel.ts'
import {
  type AttemptedOrder,
  type AttemptKey,
  attemptReference,
  isDecided,
  type Order,
} from '../../orders/order.ts'
import { bookedFor, bookSuspense, type NewSuspense } from '../../suspense/book-suspense.ts'
import type { SuspenseCause } from '../../suspense/suspense.ts'
import type { Decision } from '../decide-outcome.ts'
import { depositsOf, isStated, receivedFieldsOf } from './deposit.ts'
import {
  claimDeposits,
  moveDeposits,
  saveDeposits,
  selectDepositSums,
  selectLastTransfer,
  selectOwners,
  setWithdrawn,
  sumReported,
  type WaitingDeposit,
} from './sql.ts'

export type Reported = {
  readonly order: AttemptedOrder
  readonly outcome: Outcome
  readonly waiting: readonly WaitingDeposit[]
  readonly decision: Decision
  readonly at: Date
}

/**
 * Stores new deposits and returns all unused deposits of the order's attempt. Decisions count all unused deposits, so
 * an old message that arrives after a newer one does not reduce the amount received.
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

type StoredDeposits = {
  readonly waiting: readonly WaitingDeposit[]
  readonly doubts: readonly Doubt[]
}

/**
 * A problem that an operator must check. The alarm is raised once per `key`, even if the channel repeats its report.
 */
export type Doubt = { readonly key: string; readonly what: string }

/**
 * The maximum amount of a deposit, in minor units. Real orders are smaller, and sums of thousands of such deposits fit
 * into the database's integers.
 */
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

/**
 * Returns a success that is reported after its attempt failed, as a late deposit under the channel's own reference. The
 * list is empty for any other outcome.
 */
function lateSuccess({ attempt }: AttemptedOrder, outcome: Outcome, at: Date): Deposit[] {
  if (outcome.kind !== 'succeeded' || attempt.state !== 'failed') return []
  return [{ depositRef: outcome.channelRef, money: outcome.money, at }]
}

/** Returns the fields for merchants about the last transfer that paid an order. Undefined if no transfer paid it. */
export async function findReceivedFields(
  db: Queryable,
  order: Order,
): Promise<Record<string, string> | undefined> {
  return receivedFieldsOf(order, await selectLastTransfer(db, order), order.received)
}

/** Applies the decisions to the unused deposits: a deposit pays its order, goes to suspense, or stays unused. */
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

/** Subtracts the money that is already booked because a statement listed it before the channel reported it. */
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

/**
 * Pure: subtracts each currency's amount from the items, beginning with the first item. Items that become zero are
 * dropped.
 */
function subtract(items: readonly NewSuspense[], amounts: ReadonlyMap<string, bigint>): NewSuspense[] {
  const left = new Map(amounts)
  return items.flatMap((item) => {
    const { amount, currency } = item.money
    const rest = left.get(currency) ?? 0n
    if (rest <= 0n) return [item]
    left.set(currency, rest - amount)
    return amount > rest ? [{ ...item, money: { amount: amount - rest, currency } }] : []
  })
}

/** Pure: decides which unused deposits pay the order, and which money is booked to suspense. */
function divide(reported: Reported): {
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
    const beyond = (deposit: WaitingDeposit) => {
      const { depositRef, money, paid } = deposit
      return paid === undefined
        ? inSuspense(why)(deposit)
        : toSuspense(reported, surplusRef(depositRef), { ...money, amount: money.amount - paid }, why)
    }
    const taken = own.filter(({ paid }) => paid !== undefined)
    return { taken, suspense: [...unmatched, ...own.map(beyond)] }
  }
  if (decision.attemptState === 'failed')
    return { taken: [], suspense: [...unmatched, ...own.map(inSuspense('short'))] }
  if (decision.attemptState !== 'succeeded') return { taken: [], suspense: unmatched }
  return { taken: own, suspense: [...unmatched, ...surplusOf(reported, own)] }
}

/** Returns the sum of the deposits in one currency. Money in another currency does not pay the order. */
export function sumOf(deposits: readonly WaitingDeposit[], currency: string): bigint {
  return deposits.reduce((sum, { money }) => (money.currency === currency ? sum + money.amount : sum), 0n)
}

function surplusOf(reported: Reported, own: readonly WaitingDeposit[]): NewSuspense[] {
  const { currency, amount } = reported.order.money
  const surplus = sumOf(own, currency) - amount
  const last = own.at(-1)
  if (surplus <= 0n || last === undefined) return []
  return [toSuspense(reported, surplusRef(last.depositRef), { amount: surplus, currency }, 'surplus')]
}

function surplusRef(depositRef: string): string {
  return `surplus of ${depositRef}`
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
    // Money that an operator stated is booked like money of a statement, so that it is not booked again when the
    // channel reports it later.
    origin: isStated(reference) ? 'statement' : 'channel',
    money,
    why,
    at,
  }
}

/** The deposits of an attempt in one currency, for comparison with statements. */
export type DepositSum = {
  readonly tradeNo: string
  readonly attemptNo: number
  readonly currency: string
  readonly waiting: bigint
  /** The deposits in suspense, without the amount that reversals took back. */
  readonly inSuspense: bigint
  /** The deposits that paid the order, without the amount that reversals took back. */
  readonly taken: bigint
  /** The amount that reversals on statements took back from these deposits. */
  readonly withdrawn: bigint
  readonly amounts: readonly bigint[]
}

export async function sumDeposits(tx: Tx, attempts: readonly AttemptKey[]): Promise<DepositSum[]> {
  const rows = await selectDepositSums(tx, attempts)
  return rows.map((row) => ({
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
    currency: row.currency,
    waiting: row.waiting,
    inSuspense: row.in_suspense,
    taken: row.taken,
    withdrawn: row.withdrawn,
    amounts: row.amounts.split(',').map(BigInt),
  }))
}

/** Returns the sum of an open attempt's unused deposits in the currency. The caller has locked the order. */
export async function sumWaiting(tx: Tx, attempt: AttemptKey, currency: string): Promise<bigint> {
  const sums = await sumDeposits(tx, [attempt])
  return sums.find((one) => one.currency === currency)?.waiting ?? 0n
}

/**
 * Records the total amount that reversals on statements took back from the attempt's deposits in one currency. After
 * that, this amount does not count as reported money. The caller has locked the order.
 */
export function withdrawDeposits(tx: Tx, attempt: AttemptKey, total: Money): Promise<void> {
  return setWithdrawn(tx, attempt, total)
}

/** Returns our reference of the attempt that owns each deposit, by the channel's reference of the deposit. */
export async function findDepositAttempts(
  db: Queryable,
  channel: string,
  depositRefs: readonly string[],
): Promise<Map<string, string>> {
  if (depositRefs.length === 0) return new Map()
  const rows = await selectOwners(db, channel, depositRefs)
  return new Map(rows.map((row) => [row.deposit_ref, row.reference]))
}
