import { decimalsOf, isFiat } from '../base/currency.ts'
import { formatAmount, type Money } from '../base/money.ts'

/** Formats an amount for the locale. The decimals are set here, because Intl omits those of some currencies. */
export function money(amount: string, currency: string, locale = 'en'): string {
  if (!isFiat(currency) || !isDecimal(amount)) return `${amount} ${currency}`
  const digits = decimalsOf(currency)
  const written = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount)
  return locale.startsWith('ar') ? isolate(written) : written
}

const [RIGHT_TO_LEFT_MARK, ISOLATE, POP] = ['\u200f', '\u2066', '\u2069']

/** Isolates the amount as left-to-right text. Arabic text would otherwise separate the "$" of "US$" from "US". */
function isolate(text: string): string {
  return ISOLATE + text.replaceAll(RIGHT_TO_LEFT_MARK, '') + POP
}

export function moneyOf({ amount, currency }: Money, locale: string): string {
  return money(formatAmount(amount, currency), currency, locale)
}

/** Returns an amount to paste into a bank's form: digits, and a decimal point if the currency has decimals. */
export function plainAmount({ amount, currency }: Money): string {
  const text = formatAmount(amount, currency)
  return decimalsOf(currency) === 0 ? text.replace(/\.00$/, '') : text
}

function isDecimal(text: string): text is `${number}` {
  return /^\d{1,15}(\.\d{1,6})?$/.test(text)
}
