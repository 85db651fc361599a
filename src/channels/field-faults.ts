// What is wrong with a field of our own protocol, for the people who write a bridge: its name, what came and what is expected.
import { isFiat } from '../base/currency.ts'
import type { Fields } from '../base/object.ts'
import { withoutCards } from './their-reason.ts'

const MAX_SHOWN = 60

export function fieldFault(name: string, value: unknown, expected: string): string {
  if (value === undefined) return `"${name}" is missing; expected is ${expected}`
  const came = withoutCards(JSON.stringify(value) ?? 'no JSON')
  return `"${name}" is ${came.slice(0, MAX_SHOWN).toWellFormed()}, not ${expected}`
}

export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value)
}

/** Undefined when both are right. */
export function moneyFault({ amount, currency }: Fields): string | undefined {
  if (!isAmount(amount))
    return fieldFault('amount', amount, 'digits in the minor unit as text, such as "1250"')
  const isCurrency = typeof currency === 'string' && isFiat(currency)
  return isCurrency ? undefined : fieldFault('currency', currency, 'a currency of ISO 4217, such as "USD"')
}
