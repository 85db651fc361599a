// Today's total in the main currency, compared with the same weekday of last week, and the amounts that the total
// leaves out.
import { Stack, Text } from '@mantine/core'
import { Money, MoneyList } from '../../parts/money.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import type { Total } from './day-chart.tsx'
import { useChange, useRate } from './use-rate.ts'

type Props = {
  readonly of: Total
  /** The current hour of the day. Undefined if the figures add up days of several time zones. */
  readonly hour: number | undefined
}

export function DayTotal({ of, hour }: Props) {
  const overview = useWords(overviewWords)
  const { locale } = useLanguage()
  const rate = useRate()
  const { currency, today, converted, notIncluded } = of
  const names = new Intl.ListFormat(locale).format(converted)
  return (
    <Stack gap={4}>
      <Text component="p" fz={40} lh={1.2} fw={600}>
        <Money value={today.volume} />
      </Text>
      <Comparison of={of.lastWeek} hour={hour} />
      <Text c="dimmed">
        {today.paid + today.failed === 0
          ? overview.noneDecided
          : overview.succeeded(today.paid, today.paid + today.failed, rate(today.paid, today.failed))}
      </Text>
      {converted.length > 0 && (
        <Text size="sm" c="dimmed">
          {overview.converted(names, currency)}
        </Text>
      )}
      {notIncluded.length > 0 && (
        <div>
          <Text size="sm">{overview.notIncluded(currency)}</Text>
          <MoneyList of={notIncluded} />
        </div>
      )}
    </Stack>
  )
}

type ComparisonProps = { readonly of: Total['lastWeek']; readonly hour: number | undefined }

function Comparison({ of: { day, volume, change }, hour }: ComparisonProps) {
  const overview = useWords(overviewWords)
  const { locale } = useLanguage()
  const changeText = useChange()
  if (hour === 0) return <Text>{overview.comparedLater}</Text>
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(new Date(day))
  const until = hour === undefined ? overview.lastFullHour : `${String(hour).padStart(2, '0')}:00`
  if (change === null) return <Text>{overview.nothingThen(weekday, until)}</Text>
  return (
    <Text>
      {overview.compared(changeText(change), weekday, until)} <Money value={volume} />
    </Text>
  )
}
