// Calculates what a successful payment costs the merchant: both fees, the margin, and the remainder in the settlement
// currency. Pure rules.
import { convertDown, type Money, type Rate, shareHalfUp } from '../base/money.ts'
import { fitsBooks, type Rates } from '../rates/rates.ts'
import type { Terms } from './order.ts'

export type Charges = {
  /** The amount paid; the four parts below add up to it. */
  readonly amount: bigint
  readonly handlingFee: bigint
  readonly processingFee: bigint
  readonly margin: bigint
  /** The merchant's part; below zero when the fees exceed the amount. */
  readonly remainder: bigint
  /** The remainder in the settlement currency, at the rate of the success. */
  readonly settleAmount: bigint
  readonly settleRate: Rate | undefined
}

/** Fixes the current rate. If there is none any more, or its result cannot be booked, uses the rate at acceptance. */
export function chargesNow(money: Money, terms: Terms, rates: Pick<Rates, 'find'>): Charges {
  const isOwn = terms.settleCurrency === money.currency
  const current = isOwn ? undefined : rates.find(money.currency, terms.settleCurrency)
  const whole = { amount: money.amount + terms.feeFixed, currency: money.currency }
  const rate = current && fitsBooks(whole, terms.settleCurrency, current) ? current : terms.settleRate
  return chargesOf(money, terms, rate)
}

export function chargesOf({ amount, currency }: Money, terms: Terms, settleRate = terms.settleRate): Charges {
  const handlingFee = shareHalfUp(amount, terms.feeBps)
  const processingFee = terms.feeFixed
  const margin = shareHalfUp(amount, terms.marginBps)
  const remainder = amount - handlingFee - processingFee - margin
  const settleAmount =
    settleRate === undefined
      ? remainder
      : convertDown({ amount: remainder, currency }, terms.settleCurrency, settleRate).amount
  return { amount, handlingFee, processingFee, margin, remainder, settleAmount, settleRate }
}
