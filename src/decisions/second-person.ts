import type { Money } from '../base/money.ts'
import type { Rates } from '../rates/rates.ts'

/** Without a rate the value is not known, so a second person decides. */
export function needsSecondPerson(
  deps: { readonly rates: Pick<Rates, 'usdValue'>; readonly secondPersonAbove: bigint },
  money: Money,
): boolean {
  const value = deps.rates.usdValue(money)
  return value === undefined || value > deps.secondPersonAbove
}
