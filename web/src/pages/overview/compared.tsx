// Today beside yesterday and the same day last week, each until the same hour.
import { Stack, Text } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { Money } from '../../parts/money.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { FigureTable } from './figure-table.tsx'
import { useRate } from './use-rate.ts'

type Day = Omit<Reply<'GET /overview'>['today'][number]['today'], 'day'>

type Props = {
  readonly of: readonly {
    readonly currency: string
    readonly today: Day
    readonly yesterday: Day
    readonly lastWeek: Day
  }[]
}

export function Compared({ of }: Props) {
  const overview = useWords(overviewWords)
  const rate = useRate()
  if (of.length === 0) return <Text c="dimmed">{overview.noOrdersToday}</Text>
  return (
    <Stack gap="lg">
      {of.map(({ currency, ...days }) => (
        <FigureTable
          key={currency}
          label={currency}
          heads={[currency, overview.volume, overview.orders, overview.paid, overview.successRate]}
          rows={(['today', 'yesterday', 'lastWeek'] as const).map((name) => {
            const { volume, orders, paid, failed } = days[name]
            return {
              key: name,
              cells: [
                overview[name],
                <Money key="volume" value={volume} />,
                orders,
                paid,
                rate(paid, failed),
              ],
            }
          })}
        />
      ))}
    </Stack>
  )
}
