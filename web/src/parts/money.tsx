// An amount with its currency, in the format of the person's locale.
import { useLanguage } from '../words/use-words.tsx'

export type MoneyValue = { readonly amount: string; readonly currency: string }

export function Money({ value, signed = false }: { readonly value: MoneyValue; readonly signed?: boolean }) {
  const { locale } = useLanguage()
  return <span className="money">{formatMoney(value, locale, signed)}</span>
}

/** Amounts in several currencies, each on its own line, because they cannot be added. */
export function MoneyList({ of }: { readonly of: readonly MoneyValue[] }) {
  if (of.length === 0) return null
  return (
    <ul className="bare-list">
      {of.map((one) => (
        <li key={one.currency}>
          <Money value={one} />
        </li>
      ))}
    </ul>
  )
}

/**
 * Formats an amount exactly. The decimals of the text are kept, and the amount is never converted to a floating-point
 * number.
 */
export function formatMoney({ amount, currency }: MoneyValue, locale: string, signed = false): string {
  if (!isDecimal(amount)) return `${amount} ${currency}`
  const digits = amount.split('.')[1]?.length ?? 0
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  const sign = signed ? 'exceptZero' : 'auto'
  if (!/^[A-Z]{3}$/.test(currency)) {
    const format = new Intl.NumberFormat(locale, { ...decimals, signDisplay: sign })
    return `${format.format(amount)} ${currency}`
  }
  const format = new Intl.NumberFormat(locale, {
    ...decimals,
    style: 'currency',
    currency,
    signDisplay: sign,
  })
  return format.format(amount)
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text)
}
