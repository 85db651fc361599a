import { formatAmount, type Money } from '../base/money.ts'

/** As the API writes it. */
export function toMoney({ amount, currency }: Money): { amount: string; currency: string } {
  return { amount: formatAmount(amount, currency), currency }
}
