import { useLanguage } from '../../words/use-words.tsx'

/**
 * Returns the share of paid orders in all orders that were paid or failed. Cancelled and expired orders do not count.
 * Null if there are no such orders.
 */
export function rateOf(paid: number, failed: number): number | null {
  return paid + failed === 0 ? null : paid / (paid + failed)
}

export function useRate(): (paid: number, failed: number) => string {
  const { locale } = useLanguage()
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  return (paid, failed) => {
    const rate = rateOf(paid, failed)
    return rate === null ? '–' : format.format(rate)
  }
}

/** Returns a function that writes a change in thousandths as a percentage with its sign. */
export function useChange(): (change: number) => string {
  const { locale } = useLanguage()
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  return (change) => format.format(change / 1000)
}
