// The money of a payout: its fees, the balance that funds it, and its bookings. Pure rules.
//
// Amount and fee leave the available balance at acceptance and are in flight. Success books them out, failure books the same
// sums back. Money that comes back after a success is given back without the fee, at the payout's own rate. Each step has a
// name, and the ledger books a name once.

import { convertDown, convertUp, decimalHalfUp, type Money, shareHalfUp } from '../base/money.ts'
import { Refusal } from '../errors/catalogue.ts'
import { AVAILABLE, channelAccount, EXCHANGE, FEES, PAYOUTS_IN_FLIGHT } from '../ledger/account.ts'
import type { AllBalances } from '../ledger/lock-balances.ts'
import type { Entry } from '../ledger/post-entries.ts'
import type { FeePlan } from '../merchants/merchant.ts'
import type { Rates } from '../rates/rates.ts'
import type { Funding } from './payout.ts'

export type FeeTerms = { readonly feeBps: number; readonly feeFixed: bigint }

/** Payouts have their own fee plan; without one they are free. */
export function feeTermsOf(plan: FeePlan | undefined, currency: string): FeeTerms {
  if (plan === undefined) return { feeBps: 0, feeFixed: 0n }
  return { feeBps: plan.feeBps, feeFixed: decimalHalfUp(plan.feeFixed, currency) ?? 0n }
}

export function feesOf(amount: bigint, { feeBps, feeFixed }: FeeTerms) {
  return { handlingFee: shareHalfUp(amount, feeBps), processingFee: feeFixed }
}

/**
 * Chooses the one balance that funds the whole payout: in its own currency, else in the settlement currency, else the first by
 * code that covers it. Converts at the current rate and rounds up: many small payouts must not cost less than a large one.
 */
export function fund(
  total: Money,
  settleCurrency: string,
  funds: AllBalances,
  rates: Pick<Rates, 'find'>,
): Funding | Refusal {
  const own = draw(total, total.currency, funds, rates)
  if (!(own instanceof Refusal)) return own
  const settled = draw(total, settleCurrency, funds, rates)
  if (!(settled instanceof Refusal)) return settled
  for (const currency of funds.currencies) {
    const drawn = draw(total, currency, funds, rates)
    if (!(drawn instanceof Refusal)) return drawn
  }
  return settled
}

function draw(
  total: Money,
  currency: string,
  funds: AllBalances,
  rates: Pick<Rates, 'find'>,
): Funding | Refusal {
  const isOwn = currency === total.currency
  const rate = isOwn ? undefined : rates.find(total.currency, currency)
  if (rate === undefined && !isOwn) return new Refusal('10014', `${total.currency} to ${currency}`)
  const amount = rate === undefined ? total.amount : convertUp(total, currency, rate).amount
  if (funds.available(currency) < amount) return new Refusal('10104')
  const owed = owedIn(currency, funds, rates)
  if (owed instanceof Refusal) return owed
  return funds.available(currency) - owed < amount ? new Refusal('10104') : { amount, currency, rate }
}

/**
 * The merchant's debt, which must stay in the funding balance: the part of its own unsettled balance that is below zero, and
 * in every other currency that of available and unsettled together, at the current rate. Such debts arise when refunds took
 * more than will be settled. Without a rate the debt is unknown, so the payout is refused.
 */
function owedIn(currency: string, funds: AllBalances, rates: Pick<Rates, 'find'>): bigint | Refusal {
  let owed = lackOf(funds.unsettled(currency))
  for (const one of funds.currencies) {
    const lack = lackOf(funds.available(one) + funds.unsettled(one))
    if (one === currency || lack === 0n) continue
    const rate = rates.find(one, currency)
    if (rate === undefined) return new Refusal('10014', `${one} to ${currency}`)
    owed += convertUp({ amount: lack, currency: one }, currency, rate).amount
  }
  return owed
}

const lackOf = (sum: bigint) => (sum < 0n ? -sum : 0n)

export type Booked = {
  readonly merNo: number
  readonly tradeNo: string
  readonly money: Money
  readonly fee: bigint
  readonly funding: Funding
  readonly rail: string
}

export function takenEntries(payout: Booked, at: Date): Entry[] {
  const { funding, total, entry } = bookOf(payout, at)
  if (funding.rate === undefined) return [entry('payout', AVAILABLE, PAYOUTS_IN_FLIGHT, total)]
  return [
    entry('payout:sold', AVAILABLE, EXCHANGE, funding),
    entry('payout', EXCHANGE, PAYOUTS_IN_FLIGHT, total),
  ]
}

export function sentEntries(payout: Booked, at: Date): Entry[] {
  const { entry } = bookOf(payout, at)
  const { currency } = payout.money
  return [
    entry('payout:sent', PAYOUTS_IN_FLIGHT, channelAccount(payout.rail), payout.money),
    entry('payout:fee', PAYOUTS_IN_FLIGHT, FEES, { amount: payout.fee, currency }, 'payout:sent'),
  ]
}

export function returnedEntries(payout: Booked, at: Date): Entry[] {
  const { funding, total, entry } = bookOf(payout, at)
  if (funding.rate === undefined) return [entry('payout:returned', PAYOUTS_IN_FLIGHT, AVAILABLE, total)]
  return [
    entry('payout:returned', PAYOUTS_IN_FLIGHT, EXCHANGE, total),
    entry('payout:bought-back', EXCHANGE, AVAILABLE, funding),
  ]
}

/** The rail has the amount again. A merchant is credited rounded down. */
export function cameBackEntries(payout: Booked, at: Date): Entry[] {
  const { funding, entry } = bookOf(payout, at)
  const { money, rail } = payout
  const { currency, rate } = funding
  if (rate === undefined) return [entry('payout:came-back', channelAccount(rail), AVAILABLE, money)]
  return [
    entry('payout:came-back', channelAccount(rail), EXCHANGE, money),
    entry('payout:came-back:bought', EXCHANGE, AVAILABLE, convertDown(money, currency, rate)),
  ]
}

function bookOf({ merNo, tradeNo: subject, money, fee, funding }: Booked, at: Date) {
  const total = { amount: money.amount + fee, currency: money.currency }
  const entry = (
    step: string,
    debit: string,
    credit: string,
    { amount, currency }: Money,
    booking = step,
  ): Entry => ({ merNo, subject, booking, step, debit, credit, money: { amount, currency }, at })
  return { funding, total, entry }
}
