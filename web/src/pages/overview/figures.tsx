// The tables of the last thirty days: methods, and reasons of failed payments.
import { Text } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { Money } from '../../parts/money.tsx'
import { ordersWords } from '../../words/orders.ts'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { FigureTable } from './figure-table.tsx'
import { useRate } from './use-rate.ts'

export function Methods({ of }: { readonly of: Reply<'GET /overview'>['methods'] }) {
  const overview = useWords(overviewWords)
  const words = useWords(ordersWords)
  const rate = useRate()
  if (of.length === 0) return <Text c="dimmed">{words.empty}</Text>
  return (
    <FigureTable
      label={overview.byMethod}
      heads={[words.method, overview.volume, overview.orders, overview.paid, overview.successRate]}
      rows={of.map(({ method, currency, volume, orders, paid, failed }) => ({
        key: `${method} ${currency}`,
        cells: [
          words.methods[method] ?? method,
          <Money key="volume" value={volume} />,
          orders,
          paid,
          rate(paid, failed),
        ],
      }))}
    />
  )
}

export function Declines({ of }: { readonly of: Reply<'GET /overview'>['declines'] }) {
  const overview = useWords(overviewWords)
  const words = useWords(ordersWords)
  if (of.length === 0) return <Text c="dimmed">{overview.noDeclines}</Text>
  return (
    <FigureTable
      label={overview.declines}
      heads={[overview.reason, words.method, overview.orders]}
      rows={of.map(({ reason, method, orders }) => ({
        key: `${reason} ${method}`,
        cells: [reason, words.methods[method] ?? method, orders],
      }))}
    />
  )
}
