import { useLanguage } from '../../words/use-words.tsx'

/** The share of paid orders among those that a channel decided. Cancelled and expired orders do not count. */
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

/** Writes a change in thousandths as a percentage with its sign. */
export function useChange(): (change: number) => string {
  const { locale } = useLanguage()
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  return (change) => format.format(change / 1000)
}
