// Decides how much the merchant gets when the money of a successful refund or payout comes back.
//
// The merchant is credited with the amount that arrived, but never with more than was sent. If less arrived, the
// channel or a bank on the way kept the missing part, and the merchant bears this cost of the return. Money in another
// currency and any surplus are held in suspense, where an operator decides. If the counterparty does not state how much
// arrived, the sum that was sent is credited. An alarm is raised unless the counterparty states exactly the sum that
// was sent.
// See docs/decisions/0284-money-that-came-back.md.
import { isFiat } from '../../platform/base/currency.ts'
import { formatMoney, isSameMoney, type Money } from '../../platform/base/money.ts'
import type { Fields } from '../../platform/base/object.ts'
import { isAmount } from './counterparty-texts.ts'

export type Returned = {
  readonly kind: 'returned'
  readonly message: string
  /**
   * The money that arrived, as the counterparty states it. The sum that was sent must not be used here, because a bank
   * may have kept a part. Undefined if the counterparty states no amount. The sum that was sent is then credited, and
   * an alarm asks an operator to compare this sum with the statement.
   */
  readonly money: Money | undefined
}

export const NO_RETURNED_AMOUNT = 'what came back has no amount and currency that can be read'

/**
 * Reads a return that a bridge reports. Undefined if the amount or the currency is malformed, or if only one of them is
 * present.
 */
export function fromReturned(message: string, fields: Fields): Returned | undefined {
  const { returnedAmount: amount, returnedCurrency: currency } = fields
  if (amount === undefined && currency === undefined) return { kind: 'returned', message, money: undefined }
  if (!isAmount(amount) || typeof currency !== 'string' || !isFiat(currency)) return undefined
  return { kind: 'returned', message, money: { amount: BigInt(amount), currency } }
}

export type CameBack = {
  /**
   * The amount that the merchant gets back. Undefined if the counterparty stated no amount. The merchant then gets back
   * the sum that was sent.
   */
  readonly credited: bigint | undefined
  /** The money that is held in suspense until an operator decides. */
  readonly held: Money | undefined
  /** A sentence for people. Set if the money that came back differs from the money that was sent. */
  readonly difference: string | undefined
  /** The text of an alarm. Set if an operator must check the return. */
  readonly alarm: string | undefined
}

export function readReturn(sent: Money, { money }: Pick<Returned, 'money'>): CameBack {
  if (money === undefined)
    return {
      ...nothing,
      alarm: `the channel does not say how much came back: ${formatMoney(sent)} was credited, compare with its statement`,
    }
  if (money.currency !== sent.currency) {
    const difference = `${formatMoney(money)} came back instead of ${formatMoney(sent)}`
    const alarm = `${difference}: nothing was credited, and the money is held in suspense`
    return { credited: 0n, held: money.amount === 0n ? undefined : money, difference, alarm }
  }
  if (money.amount < sent.amount) {
    const cost = formatMoney({ ...sent, amount: sent.amount - money.amount })
    const difference = `${formatMoney(money)} of ${formatMoney(sent)} came back; the cost of the return is ${cost}`
    return { ...nothing, credited: money.amount, difference, alarm: difference }
  }
  if (money.amount === sent.amount) return { ...nothing, credited: sent.amount }
  const held = { ...sent, amount: money.amount - sent.amount }
  const difference = `${formatMoney(money)} came back, more than the ${formatMoney(sent)} that were sent`
  return {
    credited: sent.amount,
    held,
    difference,
    alarm: `${difference}; ${formatMoney(held)} is held in suspense`,
  }
}

export type DecidedReturn = { readonly message: string; readonly cameBack: CameBack; readonly alarm?: string }

/** Decides how the first report of a return changes a refund or payout. */
export function decideReturned(what: 'payout' | 'refund', sent: Money, outcome: Returned): DecidedReturn {
  const cameBack = readReturn(sent, outcome)
  const { difference, alarm } = cameBack
  const detail = difference === undefined ? '' : ` (${difference})`
  const message = `The ${what} came back: ${outcome.message}${detail}`
  return { message, cameBack, ...(alarm !== undefined && { alarm }) }
}

/** The amounts that the first report of a return booked. */
export type BookedReturn = {
  /** The amount that was credited. Undefined if the report had no amount. The sum that was sent was then credited. */
  readonly returnedAmount: bigint | undefined
  readonly returnedHeld?: Money | undefined
}

/**
 * Handles a further report of the same return, which books nothing. Returns an alarm if the report states other money
 * than the first report.
 */
export function alarmAgain(
  sent: Money,
  booked: BookedReturn,
  outcome: { readonly kind: string; readonly money?: Money | undefined },
): { readonly alarm?: string } {
  const now = outcome.kind === 'returned' ? outcome.money : undefined
  const before = bookedMoney(sent, booked)
  if (now === undefined || isSameMoney(now, before)) return {}
  const from =
    booked.returnedAmount === undefined
      ? `without an amount, and ${formatMoney(sent)} was credited`
      : `with ${formatMoney(before)}`
  return {
    alarm: `came back before ${from}; the channel now reports ${formatMoney(now)}: nothing more was booked`,
  }
}

/** Returns the money that the first report stated. If it stated none, returns the sum that was sent. */
function bookedMoney(sent: Money, { returnedAmount = sent.amount, returnedHeld: held }: BookedReturn): Money {
  if (held !== undefined && held.currency !== sent.currency) return held
  return { ...sent, amount: returnedAmount + (held?.amount ?? 0n) }
}

const nothing = { credited: undefined, held: undefined, difference: undefined, alarm: undefined }
