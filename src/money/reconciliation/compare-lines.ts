// Pure rules: the comparison of a statement's lines with our records. Payments that name no order of ours are compared
// in settle-unmatched.ts.
//
// For payments, only the sums of one attempt in one currency decide what is booked, because a channel's callbacks have
// a reference for each deposit, but the lines of its statements may have only our reference of the attempt. Listed
// money that is not booked is booked to suspense, unless the attempt is still open, or a paid order is listed in
// another currency. Money in suspense is withdrawn if a reversal takes it back, or if no statement lists it any more
// and the channel did not report it by callback. A line of outgoing money is compared with our movement that has the
// same reference.
import { isSameMoney, type Money } from '../../platform/base/money.ts'
import type { Movement } from '../../rails/contract/statement.ts'
import { takeBack } from './match-lines.ts'
import type { StatementLine } from './statement-line.ts'

/**
 * The result of comparing a line. `reversed`: a reversal that an operator must handle, because the money of the
 * reversed payment cannot be taken out of suspense, or because the line reverses a refund, payout or chargeback.
 */
export type LineKind = 'matched' | 'missing here' | 'open here' | 'differs' | 'twice' | 'reversed'

/** A line that does not match our records, or a movement of ours that the statement does not list. */
export type Difference = {
  /**
   * `withdrawn`: the channel no longer lists money that is credited, or that an operator has decided on. `not
   * repeated`: an earlier statement lists a line on a day that this statement covers, but this statement does not list
   * the line.
   */
  readonly kind: Exclude<LineKind, 'matched'> | 'missing there' | 'withdrawn' | 'not repeated'
  readonly type: StatementLine['type']
  readonly reference: string
  readonly line: number | undefined
  readonly tradeNo: string | undefined
  readonly theirs: Money | undefined
  readonly ours: Money | undefined
  /** The suspense row that holds the money of this difference, if the money belongs to no known order. */
  readonly suspenseId?: string | undefined
  readonly listedBy?: string | undefined
}

/** Compares a line of outgoing money. `occurrence` is 1 when the file names the reference for the first time. */
export function compareLine(
  { money }: StatementLine,
  ours: Movement | undefined,
  occurrence: number,
): LineKind {
  if (money.amount < 0n) return 'reversed'
  if (occurrence > 1) return 'twice'
  if (ours === undefined || ours.standing === 'failed') return 'missing here'
  // The outcome of this movement is not known yet. A worker will find and book the outcome.
  if (ours.standing === 'open') return 'open here'
  return isSameMoney(money, ours.money) ? 'matched' : 'differs'
}

export type Booked = {
  /**
   * All money booked from the channel: for the order, and to suspense in all states except withdrawn. The sum does not
   * contain money that an operator assigned to the order, because statements list that money under another reference.
   */
  readonly booked: bigint
  /** The part of `booked` that the channel reported by callback or that an operator has decided on. */
  readonly known: bigint
  /** The part of the attempt's held money that statements list and that the channel has not reported by callback. */
  readonly unconfirmed: bigint
  /** The money held in suspense that the channel reported by callback, even if a statement listed it first. */
  readonly heldReported: bigint
  /** The money that the channel reported by callback and that earlier imports withdrew because of reversals. */
  readonly reversed: bigint
  /** The amounts of the deposits that the channel reported by callback. */
  readonly deposits: readonly bigint[]
}

type Listed = { readonly amount: bigint; readonly fee: bigint }

/**
 * Returns the amount to book, or a negative amount to withdraw. Zero for an open attempt, because the resolver books
 * its money.
 */
export function unbookedOf(
  ours: Movement,
  currency: string,
  booked: Booked,
  lines: readonly Listed[],
): bigint {
  if (ours.standing === 'open') return 0n
  // A reversal also takes back money that the channel reported by callback, but only once. If a corrected statement
  // withdraws the reversal, that money is booked again.
  const reversed = least(reversedIn(lines) - booked.reversed, booked.heldReported)
  const change = most(sum(lines) - booked.booked, -(booked.unconfirmed + reversed))
  // A channel may list a paid order in another currency than the order's. A line in the other currency is not a second
  // payment.
  const isOtherCurrency = ours.standing === 'done' && currency !== ours.money.currency
  return change > 0n && isOtherCurrency ? 0n : change
}

/**
 * Returns how much of the money that the channel reported by callback is taken back by reversals, after `change` is
 * booked or withdrawn.
 */
export function reversedAfter(
  { reversed, unconfirmed }: Booked,
  lines: readonly Listed[],
  change: bigint,
): bigint {
  const listed = reversedIn(lines)
  return listed < reversed ? listed : reversed + most(-change - unconfirmed, 0n)
}

/**
 * Returns the kind of each line, in the list's order. `booked` has the sums after this import booked and withdrew
 * money.
 */
export function compareListed(ours: Movement, booked: Booked, lines: readonly Listed[]): LineKind[] {
  if (ours.standing === 'open') return lines.map(() => 'open here')
  const isTakenBack = booked.booked <= sum(lines)
  const { left } = isTakenBack ? takeBack(lines) : { left: new Map<Listed, bigint>() }
  const amounts = lines.map((line) => left.get(line) ?? (line.amount > 0n ? line.amount : 0n))
  const kinds = compareAmounts(ours, booked, amounts, feesOf(lines))
  return lines.map(({ amount }, at) => {
    if (amount < 0n) return isTakenBack ? 'matched' : 'reversed'
    return amounts[at] === 0n ? 'matched' : (kinds[at] ?? 'differs')
  })
}

function compareAmounts(
  ours: Movement,
  { known, deposits }: Booked,
  amounts: readonly bigint[],
  fees: bigint,
): LineKind[] {
  const total = sumOf(amounts)
  // The lines may list net amounts. In that case, the amounts plus the fees equal the known amount.
  const isCovered = total >= known || total + fees === known
  let listed = 0n
  return amounts.map((amount, at) => {
    const before = listed
    listed += amount
    if (listed <= known) return isCovered || deposits.includes(amount) ? 'matched' : 'differs'
    if (before < known) return 'differs'
    if (ours.standing === 'failed') return 'missing here'
    return amounts.indexOf(amount) < at ? 'twice' : 'differs'
  })
}

function reversedIn(lines: readonly Listed[]): bigint {
  return -sum(lines.filter(({ amount }) => amount < 0n))
}

function feesOf(lines: readonly Listed[]): bigint {
  return lines.reduce((total, { fee }) => total + fee, 0n)
}

function sum(lines: readonly Listed[]): bigint {
  return sumOf(lines.map(({ amount }) => amount))
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
