// Pure rules: the position of an order's money after success, which is the division of the amount paid into its current
// parts. A position and an event give the next position and the ledger entries of the event.
//
// Invariant, in the source currency: amount = fees + exception fees + refunded + charged back + margin held + remainder
// + settled source. The order's part of the available balance is its settled source, converted at the order's own rate.
// Every move books the difference between the conversions of the settled source before and after the move, so rounding
// differences do not add up.

import { convertDown, type Money, type Rate } from '../../platform/base/money.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import {
  AVAILABLE,
  DISPUTED,
  EXCHANGE,
  FEES,
  MARGIN,
  REFUNDS_IN_FLIGHT,
  RETURN_COSTS,
  UNSETTLED,
} from '../ledger/account.ts'
import type { Entry } from '../ledger/post-entries.ts'

export type Position = {
  readonly amount: bigint
  readonly currency: string
  readonly settleCurrency: string
  /** The rate of settlement. Undefined if the order settles in its own currency. */
  readonly rate: Rate | undefined
  /** The margin at success. */
  readonly margin: bigint
  readonly marginHeld: bigint
  /** The part of the margin that chargebacks used up. */
  readonly marginDisputed: bigint
  readonly marginReleased: boolean
  readonly remainder: bigint
  readonly settled: boolean
  readonly settledSource: bigint
  readonly refunded: bigint
  readonly chargedBack: bigint
  readonly exceptionFees: bigint
}

export type Transfer = Pick<Entry, 'booking' | 'step' | 'debit' | 'credit' | 'money'>
export type Moved = { readonly position: Position; readonly transfers: readonly Transfer[] }

/** Settles the order: its remainder becomes available. */
export function settle(position: Position, step: string): Moved {
  const settled = { ...position, settled: true }
  return move(settled, step, [{ step, from: UNSETTLED, to: AVAILABLE, amount: position.remainder }])
}

/** Releases the margin: the part that is still held becomes available. */
export function releaseMargin(position: Position, step: string): Moved {
  const released = { ...position, marginReleased: true }
  return move(released, step, [{ step, from: MARGIN, to: AVAILABLE, amount: position.marginHeld }])
}

/** Takes the amount and the fee of a new refund, and releases the margin in proportion to the amount. */
export function takeRefund(position: Position, amount: bigint, fee: bigint, step: string): Moved {
  const refunded = position.refunded + amount
  const home = homeOf(position)
  return move({ ...position, refunded }, step, [
    { step: `${step}:margin`, from: MARGIN, to: home, amount: marginFreed(position, refunded) },
    { step, from: home, to: REFUNDS_IN_FLIGHT, amount },
    { step: `${step}:fee`, from: home, to: FEES, amount: fee },
  ])
}

/** Gives back the amount and the fee of a failed refund, and withholds again the margin that the refund released. */
export function returnRefund(position: Position, amount: bigint, fee: bigint, step: string): Moved {
  const refunded = position.refunded - amount
  const home = homeOf(position)
  return move({ ...position, refunded }, step, [
    { step, from: REFUNDS_IN_FLIGHT, to: home, amount },
    { step: `${step}:fee`, from: FEES, to: home, amount: fee },
    { step: `${step}:margin`, from: home, to: MARGIN, amount: -marginFreed(position, refunded) },
  ])
}

export type ReturnSteps = { readonly back: string; readonly cost: string; readonly kept: string }

/**
 * Takes back the money of a refund that the payer's bank sent back through the channel, and withholds again the margin
 * that the refund released. The refund's fee stays taken, because the refund was made. `cost` is the part of the refund
 * that did not come back. The order bears this cost like a fee.
 */
export function takeBackRefund(
  position: Position,
  { amount, cost, channel }: { readonly amount: bigint; readonly cost: bigint; readonly channel: string },
  steps: ReturnSteps,
): Moved {
  const refunded = position.refunded - amount
  const home = homeOf(position)
  return move({ ...position, refunded }, steps.back, [
    { step: steps.back, from: channel, to: home, amount },
    { step: `${steps.back}:margin`, from: home, to: MARGIN, amount: -marginFreed(position, refunded) },
    { step: steps.cost, from: home, to: RETURN_COSTS, amount: cost },
    { step: steps.kept, from: RETURN_COSTS, to: channel, amount: cost },
  ])
}

/**
 * Takes the amount and fee of a chargeback from the order's remainder, then from the available balance, then from the
 * order's margin. If the three are not enough, the available balance goes below zero. The amount passes through the
 * chargeback account to the channel, and the fee passes through the same account to our fees.
 */
export function openChargeback(
  position: Position,
  take: {
    readonly amount: bigint
    readonly fee: bigint
    readonly available: bigint
    readonly channel: string
  },
  step: string,
): Moved {
  const { amount, fee, channel } = take
  const need = amount + fee
  const fromRemainder = least(most(position.remainder, 0n), need)
  const fromAvailable = coveredBy(position, take.available, need - fromRemainder)
  const fromMargin = least(position.marginHeld, need - fromRemainder - fromAvailable)
  const below = need - fromRemainder - fromAvailable - fromMargin
  const chargedBack = position.chargedBack + amount
  const marginDisputed = position.marginDisputed + fromMargin
  return move({ ...position, chargedBack, marginDisputed }, step, [
    { step: `${step}:remainder`, from: UNSETTLED, to: DISPUTED, amount: fromRemainder },
    { step: `${step}:available`, from: AVAILABLE, to: DISPUTED, amount: fromAvailable },
    { step: `${step}:margin`, from: MARGIN, to: DISPUTED, amount: fromMargin },
    { step: `${step}:below`, from: AVAILABLE, to: DISPUTED, amount: below },
    { step, from: DISPUTED, to: channel, amount },
    { step: `${step}:fee`, from: DISPUTED, to: FEES, amount: fee },
  ])
}

/**
 * Gives back the amount of a chargeback that was won, but not the fee. If the order is settled, the amount becomes
 * available. Otherwise the amount first repays what the chargeback took from the available balance, and the rest goes
 * to the remainder.
 */
export function winChargeback(position: Position, amount: bigint, channel: string, step: string): Moved {
  const owed = position.settled ? amount : least(most(-position.settledSource, 0n), amount)
  const chargedBack = position.chargedBack - amount
  return move({ ...position, chargedBack }, step, [
    { step, from: channel, to: DISPUTED, amount },
    { step: `${step}:available`, from: DISPUTED, to: AVAILABLE, amount: owed },
    { step: `${step}:remainder`, from: DISPUTED, to: UNSETTLED, amount: amount - owed },
  ])
}

/** Returns the part of `need`, in the source currency, that the available balance covers without going below zero. */
function coveredBy(position: Position, available: bigint, need: bigint): bigint {
  if (available <= 0n) return 0n
  if (position.rate === undefined) return least(available, need)
  // Conversions round, so an inverse conversion may be off by a unit. A binary search is exact.
  let [low, high] = [0n, need + 1n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const cost =
      converted(position, position.settledSource) - converted(position, position.settledSource - middle)
    if (cost <= available) low = middle
    else high = middle
  }
  return low
}

function homeOf(position: Position): typeof AVAILABLE | typeof UNSETTLED {
  return position.settled ? AVAILABLE : UNSETTLED
}

/**
 * Returns the margin that is released when the refunded amount becomes `refunded`. The result is below zero if margin
 * must be withheld again. The margin held depends only on the refunded and disputed amounts, so a failed refund
 * restores it exactly.
 */
function marginFreed(position: Position, refunded: bigint): bigint {
  if (position.marginReleased) return 0n
  const { margin, marginDisputed, amount } = position
  const held = (part: bigint) => most(margin - marginDisputed - (margin * part) / amount, 0n)
  return held(position.refunded) - held(refunded)
}

type Step = { readonly step: string; readonly from: string; readonly to: string; readonly amount: bigint }

/**
 * Applies the steps of an event. All transfers in the order's currency are one booking. Transfers in another settlement
 * currency are a second booking.
 */
function move(start: Position, booking: string, steps: readonly Step[]): Moved {
  let position = start
  const transfers: Transfer[] = []
  for (const step of steps) {
    const next = applied(position, step)
    transfers.push(...transfersOf(position, next, step, booking))
    position = next
  }
  return { position, transfers }
}

function applied(position: Position, { from, to, amount }: Step): Position {
  const change = (account: string) => (to === account ? amount : 0n) - (from === account ? amount : 0n)
  return {
    ...position,
    remainder: position.remainder + change(UNSETTLED),
    settledSource: position.settledSource + change(AVAILABLE),
    marginHeld: position.marginHeld + change(MARGIN),
    exceptionFees: position.exceptionFees + change(FEES) + (to === RETURN_COSTS ? amount : 0n),
  }
}

/**
 * Returns the transfer of a step. If the step moves the available balance, and this balance is in another currency,
 * returns two transfers through the exchange account.
 */
function transfersOf(before: Position, after: Position, step: Step, booking: string): Transfer[] {
  const { currency, settleCurrency, rate } = before
  const source = { amount: step.amount, currency }
  if (rate === undefined || (step.from !== AVAILABLE && step.to !== AVAILABLE))
    return transfer(booking, step, source)
  const amount = converted(after, after.settledSource) - converted(before, before.settledSource)
  const exchanged = { step: `${step.step}:exchanged`, from: EXCHANGE, to: AVAILABLE }
  const other = step.to === AVAILABLE ? { ...step, to: EXCHANGE } : { ...step, from: EXCHANGE }
  return [
    ...transfer(booking, other, source),
    ...transfer(`${booking}:exchanged`, exchanged, { amount, currency: settleCurrency }),
  ]
}

/** Returns a transfer, or none if the amount is zero. A negative amount moves in the opposite direction. */
function transfer(
  booking: string,
  { step, from, to }: Omit<Step, 'amount'>,
  { amount, currency }: Money,
): Transfer[] {
  if (amount === 0n) return []
  if (amount < 0n) return [{ booking, step, debit: to, credit: from, money: { amount: -amount, currency } }]
  return [{ booking, step, debit: from, credit: to, money: { amount, currency } }]
}

/** Converts a settled source to the settlement currency. Rounds down: a credit gets smaller, a debt gets larger. */
export function converted({ rate, currency, settleCurrency }: Position, source: bigint): bigint {
  return rate === undefined ? source : convertDown({ amount: source, currency }, settleCurrency, rate).amount
}

export function checkPosition(position: Position, fees: bigint): void {
  const { refunded, chargedBack, exceptionFees, marginHeld, remainder, settledSource } = position
  const sum = fees + exceptionFees + refunded + chargedBack + marginHeld + remainder + settledSource
  assert(sum === position.amount, "an order's parts sum to its amount")
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)
const most = (one: bigint, other: bigint) => (one > other ? one : other)
