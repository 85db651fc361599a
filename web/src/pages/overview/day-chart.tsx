// The volume of each day as a bar, and the success rate of each day as a line above the bars.
import type { Reply } from '../../api/send.ts'
import { Chart } from '../../parts/chart.tsx'
import type { ChartPoint } from '../../parts/chart-drawing.tsx'
import { formatDay } from '../../parts/moment.tsx'
import { formatMoney } from '../../parts/money.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { rateOf } from './use-rate.ts'

export type Total = NonNullable<Reply<'GET /overview'>['total']>

export function DayChart({ of: { currency, days } }: { readonly of: Total }) {
  const overview = useWords(overviewWords)
  const { locale } = useLanguage()
  const points = days.map(({ day, volume, paid, failed }): ChartPoint => {
    const value = Number.parseFloat(volume.amount)
    return { at: day, value, text: formatMoney(volume, locale), rate: rateOf(paid, failed) }
  })
  return (
    <Chart
      label={overview.chart(currency, days.length)}
      heads={[overview.day, overview.volume, overview.successRate]}
      legend={overview.legend(currency)}
      points={points}
      locale={locale}
      formatAt={formatDay}
    />
  )
}
