// Volume by day in the currency with the most orders, and the success rate by day.
import { SimpleGrid, Title } from '@mantine/core'
import { Chart, type ChartPoint } from '../../parts/chart.tsx'
import { formatMoment } from '../../parts/moment.tsx'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import type { OverviewData } from './overview-page.tsx'
import { rateOf } from './use-rate.ts'

type Days = OverviewData['days']

type Props = { readonly days: Days; readonly from: string; readonly to: string }

export function Trends({ days, from, to }: Props) {
  const { overview } = useWords()
  const { locale } = useLanguage()
  if (days.length === 0) return null
  const currency = mainCurrency(days)
  const withOrders = Map.groupBy(days, ({ day }) => day)
  const byDay = daysBetween(from, to).map((day) => [day, withOrders.get(day) ?? []] as const)
  const volumes = byDay.map(([at, some]): ChartPoint => {
    const own = some.filter((one) => one.currency === currency)
    return { at, value: own.reduce((sum, { volume }) => sum + Number.parseInt(volume.amount, 10), 0) }
  })
  const rates = byDay.map(([at, some]): ChartPoint => {
    const [paid, failed] = [
      some.reduce((sum, one) => sum + one.paid, 0),
      some.reduce((sum, one) => sum + one.failed, 0),
    ]
    return { at, value: rateOf(paid, failed) }
  })
  const money = new Intl.NumberFormat(locale, { notation: 'compact' })
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const formatAt = (at: string) => formatMoment(at, locale, 'date')
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <Trend title={overview.trend(currency)} points={volumes} format={money.format} formatAt={formatAt} />
      <Trend title={overview.rateTrend} points={rates} format={percent.format} formatAt={formatAt} />
    </SimpleGrid>
  )
}

type TrendProps = {
  readonly title: string
  readonly points: readonly ChartPoint[]
  readonly format: (value: number) => string
  readonly formatAt: (at: string) => string
}

function Trend({ title, ...chart }: TrendProps) {
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Chart label={title} {...chart} />
    </section>
  )
}

function daysBetween(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const count = Math.round((last - first) / DAY_MS) + 1
  return Array.from({ length: count }, (_, at) => new Date(first + at * DAY_MS).toISOString().slice(0, 10))
}

const DAY_MS = 86_400_000

function mainCurrency(days: Days): string {
  const counts = new Map<string, number>()
  for (const { currency, orders } of days) counts.set(currency, (counts.get(currency) ?? 0) + orders)
  const [first] = [...counts].sort(([, one], [, other]) => other - one)
  return first?.[0] ?? ''
}
