// Owns deposits: money that payers sent by themselves, each arrival once. What pays its order is taken; all else goes to
// suspense: what came too late, what was too little when its attempt ended, and what exceeds the amount.
//
// Called with the order locked: nobody else reads or moves its deposits meanwhile.
import type { Tx } from '../base/db.ts'
import type { Money } from '../base/money.ts'
import type { Deposit, Outcome } from '../channels/contract.ts'
import { bookSuspense, type NewSuspense } from '../suspense/book-suspense.ts'
import type { SuspenseCause } from '../suspense/suspense.ts'
import { moveDeposits, saveDeposits, type WaitingDeposit } from './deposit-sql.ts'
import { type Decision, isDecided, type OpenOrder } from './payment.ts'

/** What an order was told, what of it waits to be used, and what was decided. */
export type Told = {
  readonly order: OpenOrder
  readonly outcome: Outcome
  readonly waiting: readonly WaitingDeposit[]
  readonly decision: Decision
  readonly at: Date
}

export function depositsOf(outcome: Outcome): readonly Deposit[] {
  if (outcome.kind === 'received') return outcome.deposits
  return outcome.kind === 'failed' ? (outcome.deposits ?? []) : []
}

/**
 * Keeps what was not known before; all that waits for this order's attempt. What is decided is decided on these: an older
 * message that overtakes a newer one takes nothing away.
 */
export async function keepDeposits(tx: Tx, order: OpenOrder, outcome: Outcome): Promise<WaitingDeposit[]> {
  const deposits = depositsOf(outcome)
  return deposits.length > 0 || order.received > 0n ? saveDeposits(tx, order, deposits) : []
}

export async function useDeposits(tx: Tx, told: readonly Told[]): Promise<void> {
  for (const one of told) {
    if (one.waiting.length === 0 && !isLateSuccess(one)) continue
    const { taken, suspense } = divide(one)
    const isBooked = ({ depositRef }: WaitingDeposit) =>
      suspense.some((item) => item.reference === depositRef)
    await moveDeposits(tx, one.order, 'taken', taken)
    await moveDeposits(tx, one.order, 'suspense', one.waiting.filter(isBooked))
    await bookSuspense(tx, suspense)
  }
}

function isLateSuccess({ order, outcome }: Pick<Told, 'order' | 'outcome'>): boolean {
  return outcome.kind === 'succeeded' && order.attempt.state === 'failed'
}

/** Pure: which of the waiting deposits pay the order, and what is booked to suspense. */
export function divide(told: Told): {
  readonly taken: readonly WaitingDeposit[]
  readonly suspense: readonly NewSuspense[]
} {
  const { order, outcome, decision, waiting } = told
  const { attempt, money } = order
  const inSuspense = (why: SuspenseCause) => (deposit: WaitingDeposit) =>
    toSuspense(told, deposit.depositRef, deposit.money, why)
  const foreign = waiting.filter((deposit) => deposit.money.currency !== money.currency)
  const own = waiting.filter((deposit) => deposit.money.currency === money.currency)
  const unmatched = foreign.map(inSuspense('unmatched'))
  if (isDecided(attempt.state)) {
    const late = isLateSuccess(told) && outcome.kind === 'succeeded' ? [lateSuccess(told, outcome)] : []
    const why = attempt.state === 'succeeded' ? 'surplus' : 'late'
    return { taken: [], suspense: [...unmatched, ...own.map(inSuspense(why)), ...late] }
  }
  if (decision.attemptState === 'failed')
    return { taken: [], suspense: [...unmatched, ...own.map(inSuspense('short'))] }
  if (decision.attemptState !== 'succeeded') return { taken: [], suspense: unmatched }
  return { taken: own, suspense: [...unmatched, ...surplusOf(told, own)] }
}

/** Money of another currency than the order's pays nothing of it. */
export function sumOf(deposits: readonly WaitingDeposit[], currency: string): bigint {
  return deposits.reduce((sum, { money }) => (money.currency === currency ? sum + money.amount : sum), 0n)
}

function surplusOf(told: Told, own: readonly WaitingDeposit[]): NewSuspense[] {
  const { currency, amount } = told.order.money
  const surplus = sumOf(own, currency) - amount
  const last = own.at(-1)
  if (surplus <= 0n || last === undefined) return []
  return [toSuspense(told, `surplus of ${last.depositRef}`, { amount: surplus, currency }, 'surplus')]
}

function lateSuccess(
  told: Told,
  { channelRef, money }: { readonly channelRef: string; readonly money: Money },
): NewSuspense {
  return toSuspense(told, channelRef, money, 'late')
}

function toSuspense({ order, at }: Told, reference: string, money: Money, why: SuspenseCause): NewSuspense {
  const { merNo, tradeNo, attempt } = order
  return { merNo, channel: attempt.channel, reference, tradeNo, money, why, at }
}
