import { useLanguage } from '../../words/use-words.tsx'

/** Paid orders of those that were decided by a channel: cancelled and expired ones were the payer's choice. */
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
