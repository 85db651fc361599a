// The money of a payout: what it costs, what it draws on, and how it is booked. Pure.
//
// Amount and fee leave the available balance at acceptance and wait in flight. Success books them out, failure books the
// same sums back: each step has a name, and the ledger takes a name once.

import { convertUp, decimalHalfUp, type Money, shareHalfUp } from '../base/money.ts'
import { Refusal } from '../errors/catalogue.ts'
import { AVAILABLE, channelAccount, EXCHANGE, FEES, PAYOUTS_IN_FLIGHT } from '../ledger/account.ts'
import type { AllBalances } from '../ledger/lock-balances.ts'
import type { Entry } from '../ledger/post-entries.ts'
import type { FeePlan } from '../merchants/merchant.ts'
import type { Rates } from '../rates/rates.ts'
import type { Funding } from './payout.ts'

export type FeeTerms = { readonly feeBps: number; readonly feeFixed: bigint }

/** Payouts have a plan of their own; without one they cost nothing. */
export function feeTermsOf(plan: FeePlan | undefined, currency: string): FeeTerms {
  if (plan === undefined) return { feeBps: 0, feeFixed: 0n }
  return { feeBps: plan.feeBps, feeFixed: decimalHalfUp(plan.feeFixed, currency) ?? 0n }
}

export function feesOf(amount: bigint, { feeBps, feeFixed }: FeeTerms) {
  return { handlingFee: shareHalfUp(amount, feeBps), processingFee: feeFixed }
}

/**
 * One balance that pays for all of it: its own currency's; or else the settlement currency's; or else another's that covers
 * it, the first by code. Converted at the rate of now and up: many small payouts must not cost less than a large one.
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
 * What must stay of the balance that is drawn on: as much as its own unsettled is below zero, and what available and
 * unsettled together lack in any other currency, at the rate of now. Refunds took more than will be settled there. Without
 * a rate nobody can say how much is left to pay out.
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
    entry('payout:fee', PAYOUTS_IN_FLIGHT, FEES, { amount: payout.fee, currency }),
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

function bookOf({ merNo, tradeNo: subject, money, fee, funding }: Booked, at: Date) {
  const total = { amount: money.amount + fee, currency: money.currency }
  const entry = (step: string, debit: string, credit: string, { amount, currency }: Money): Entry => {
    return { merNo, subject, step, debit, credit, money: { amount, currency }, at }
  }
  return { funding, total, entry }
}
