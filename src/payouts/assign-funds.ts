// Assigns a merchant's balances to payouts in order of arrival. Pure; acceptance runs it on locked balances, a preview on
// current ones.
import { Refusal } from '../errors/catalogue.ts'
import type { AllBalances } from '../ledger/lock-balances.ts'
import type { Rates } from '../rates/rates.ts'
import { feesOf, fund } from './money.ts'
import type { NewPayout } from './new-payout.ts'
import type { Funding } from './payout.ts'

export type Assigned = {
  readonly funded: ReadonlyMap<NewPayout, Funding>
  readonly refused: ReadonlyMap<NewPayout, Refusal>
}

/** While any available balance is below zero, nothing is paid out. */
export function assignFunds(
  payouts: readonly NewPayout[],
  balances: AllBalances,
  rates: Pick<Rates, 'find'>,
): Assigned {
  const funded = new Map<NewPayout, Funding>()
  const refused = new Map<NewPayout, Refusal>()
  if (balances.currencies.some((currency) => balances.available(currency) < 0n))
    return { funded, refused: new Map(payouts.map((payout) => [payout, new Refusal('10104')])) }
  const taken = new Map<string, bigint>()
  const available = (currency: string) => balances.available(currency) - (taken.get(currency) ?? 0n)
  const funds = { ...balances, available }
  for (const payout of payouts) {
    const { amount, currency } = payout.money
    const total = { amount: amount + feeOf(payout), currency }
    const funding = fund(total, payout.terms.settleCurrency, funds, rates)
    if (funding instanceof Refusal) refused.set(payout, funding)
    else {
      funded.set(payout, funding)
      taken.set(funding.currency, (taken.get(funding.currency) ?? 0n) + funding.amount)
    }
  }
  return { funded, refused }
}

export function feeOf({ money, terms }: Pick<NewPayout, 'money' | 'terms'>): bigint {
  const { handlingFee, processingFee } = feesOf(money.amount, terms)
  return handlingFee + processingFee
}
