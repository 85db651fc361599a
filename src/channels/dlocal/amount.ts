// Amounts at dLocal are JSON numbers in major units. They are written and read as text, never calculated with.
import { isFiat } from '../../base/currency.ts'
import { formatAmount, type Money, parseDecimal } from '../../base/money.ts'
import type { Fields } from '../../base/object.ts'

/** The request as JSON, with the amount as a number. */
export function withAmount({ amount, currency }: Money, fields: Fields): string {
  const rest = JSON.stringify({ currency, ...fields })
  return `{"amount":${formatAmount(amount, currency)},${rest.slice(1)}`
}

/** Undefined when it is malformed, or a fraction of the minor unit. */
export function moneyIn({ amount, currency }: Fields): Money | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string' || !isFiat(currency)) return undefined
  const minor = parseDecimal(String(amount), currency)
  return minor === undefined ? undefined : { amount: minor, currency }
}
