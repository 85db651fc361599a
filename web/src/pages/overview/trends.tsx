import { Group, NativeSelect, SimpleGrid, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { Chart } from '../../parts/chart.tsx'
import type { ChartPoint } from '../../parts/chart-drawing.tsx'
import { formatDay } from '../../parts/moment.tsx'
import { formatMoney } from '../../parts/money.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { sumVolume } from './sum-volume.ts'
import { rateOf } from './use-rate.ts'

type Days = Reply<'GET /overview'>['days']

type Props = { readonly days: Days; readonly from: string; readonly to: string }

export function Trends({ days, from, to }: Props) {
  const overview = useWords(overviewWords)
  const { locale } = useLanguage()
  const [chosen, setChosen] = useState<string>()
  const currencies = byOrders(days)
  const currency = currencies.find((one) => one === chosen) ?? currencies[0]
  const like = days.find((one) => one.currency === currency)?.volume
  if (currency === undefined || like === undefined) return null
  const withOrders = Map.groupBy(days, ({ day }) => day)
  const byDay = daysBetween(from, to).map((day) => [day, withOrders.get(day) ?? []] as const)
  const volumes = byDay.map(([at, some]): ChartPoint => {
    const own = some.filter((one) => one.currency === currency).map(({ volume }) => volume)
    const sum = sumVolume(own, like)
    return { at, value: Number.parseFloat(sum.amount), text: formatMoney(sum, locale) }
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
  const formatAt = (at: string) => formatDay(at, locale)
  const choice = currencies.length > 1 && (
    <NativeSelect
      aria-label={overview.currency}
      size="xs"
      data={[...currencies]}
      value={currency}
      onChange={({ currentTarget }) => setChosen(currentTarget.value)}
    />
  )
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <Trend
        title={overview.trend(currency)}
        choice={choice}
        points={volumes}
        format={money.format}
        formatAt={formatAt}
      />
      <Trend title={overview.rateTrend} points={rates} format={percent.format} formatAt={formatAt} />
    </SimpleGrid>
  )
}

type TrendProps = {
  readonly title: string
  readonly choice?: ReactNode
  readonly points: readonly ChartPoint[]
  readonly format: (value: number) => string
  readonly formatAt: (at: string) => string
}

function Trend({ title, choice, ...chart }: TrendProps) {
  return (
    <section style={{ minInlineSize: 0 }}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {choice}
      </Group>
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

function byOrders(days: Days): readonly string[] {
  const counts = new Map<string, number>()
  for (const { currency, orders } of days) counts.set(currency, (counts.get(currency) ?? 0) + orders)
  return [...counts].sort(([, one], [, other]) => other - one).map(([currency]) => currency)
}
