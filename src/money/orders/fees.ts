// Pure rules: the fees of an order, and the cost of a successful payment for the merchant.
import { convertDown, type Money, type Rate, shareHalfUp } from '../../platform/base/money.ts'
import { fitsBooks, type Rates } from '../rates/rates.ts'
import type { Terms } from './order.ts'

export type FeeTerms = Pick<Terms, 'feeBps' | 'feeFixed'>

/** Returns the fees of a payment or payout. The percentage fee is rounded half up. */
export function feesOf(amount: bigint, { feeBps, feeFixed }: FeeTerms) {
  return { handlingFee: shareHalfUp(amount, feeBps), processingFee: feeFixed }
}

export type Charges = {
  /** The amount paid, which is the sum of the two fees, the margin and the remainder. */
  readonly amount: bigint
  readonly handlingFee: bigint
  readonly processingFee: bigint
  readonly margin: bigint
  /** The merchant's part, which is below zero if the fees and the margin exceed the amount. */
  readonly remainder: bigint
  /** The remainder in the settlement currency, converted at `settleRate`. */
  readonly settleAmount: bigint
  readonly settleRate: Rate | undefined
}

/**
 * Calculates the charges at the current rate. The rate at acceptance is used if there is no current rate, or if the
 * current rate makes the amount too large to be booked.
 */
export function chargesNow(money: Money, terms: Terms, rates: Pick<Rates, 'find'>): Charges {
  const isOwn = terms.settleCurrency === money.currency
  const current = isOwn ? undefined : rates.find(money.currency, terms.settleCurrency)
  const whole = { amount: money.amount + terms.feeFixed, currency: money.currency }
  const rate = current && fitsBooks(whole, terms.settleCurrency, current) ? current : terms.settleRate
  return chargesOf(money, terms, rate)
}

export function chargesOf({ amount, currency }: Money, terms: Terms, settleRate = terms.settleRate): Charges {
  const { handlingFee, processingFee } = feesOf(amount, terms)
  const margin = shareHalfUp(amount, terms.marginBps)
  const remainder = amount - handlingFee - processingFee - margin
  const settleAmount =
    settleRate === undefined
      ? remainder
      : convertDown({ amount: remainder, currency }, terms.settleCurrency, settleRate).amount
  return { amount, handlingFee, processingFee, margin, remainder, settleAmount, settleRate }
}
