// Today's figures by currency, with the change since the same weekday of last week.
import { Text } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { Money } from '../../parts/money.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { FigureTable } from './figure-table.tsx'
import { useChange, useRate } from './use-rate.ts'

export function Compared({ of }: { readonly of: Reply<'GET /overview'>['currencies'] }) {
  const overview = useWords(overviewWords)
  const rate = useRate()
  const changeText = useChange()
  if (of.length === 0) return <Text c="dimmed">{overview.noOrdersToday}</Text>
  return (
    <FigureTable
      label={overview.currencies}
      heads={[
        overview.currency,
        overview.volume,
        overview.change,
        overview.orders,
        overview.paid,
        overview.successRate,
      ]}
      rows={of.map(({ currency, today: { volume, orders, paid, failed }, change }) => ({
        key: currency,
        cells: [
          currency,
          <Money key="volume" value={volume} />,
          change === null ? '–' : changeText(change),
          orders,
          paid,
          rate(paid, failed),
        ],
      }))}
    />
  )
}
