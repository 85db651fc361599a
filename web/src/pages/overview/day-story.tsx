// The first parts of the overview of merchants and of that of operators: today's total, and the chart of the days.
import { Text } from '@mantine/core'
import { Part } from '../../parts/part.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { DayChart, type Total } from './day-chart.tsx'
import { DayTotal } from './day-total.tsx'

type Props = {
  /** The figures. Null if there are no orders. */
  readonly of: Total | null
  /** The current hour of the day. Undefined if the figures add up days of several time zones. */
  readonly hour?: number
}

export function DayStory({ of, hour }: Props) {
  const overview = useWords(overviewWords)
  return (
    <>
      <Part title={overview.today}>
        {of === null ? <Text c="dimmed">{overview.noOrders}</Text> : <DayTotal of={of} hour={hour} />}
      </Part>
      {of !== null && (
        <Part title={overview.chart(of.currency, of.days.length)}>
          <DayChart of={of} />
        </Part>
      )}
    </>
  )
}
