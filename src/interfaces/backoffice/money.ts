// The form of amounts in the API: a decimal string with its currency.
import { formatAmount, type Money } from '../../platform/base/money.ts'

export function money(amount: bigint, currency: string): { amount: string; currency: string } {
  return { amount: formatAmount(amount, currency), currency }
}

export function toMoney({ amount, currency }: Money): { amount: string; currency: string } {
  return money(amount, currency)
}
