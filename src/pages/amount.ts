import { decimalsOf, isFiat } from '../base/currency.ts'

/** As people write it. Decimals are ours to say: Intl counts none for some currencies that have them. */
export function money(amount: string, currency: string): string {
  if (!isFiat(currency) || !isDecimal(amount)) return `${amount} ${currency}`
  const digits = decimalsOf(currency)
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount)
}

function isDecimal(text: string): text is `${number}` {
  return /^\d{1,15}(\.\d{1,6})?$/.test(text)
}
