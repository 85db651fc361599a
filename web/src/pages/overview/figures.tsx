// Tables of the last thirty days: methods, and the reasons of failed payments.
import { Text } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { Money } from '../../parts/money.tsx'
import { ordersWords } from '../../words/orders.ts'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { FigureTable } from './figure-table.tsx'
import { sumVolume } from './sum-volume.ts'
import { useRate } from './use-rate.ts'

type Days = Reply<'GET /overview'>['days']

export function Methods({ days }: { readonly days: Days }) {
  const overview = useWords(overviewWords)
  const words = useWords(ordersWords)
  const rate = useRate()
  if (days.length === 0) return <Text c="dimmed">{words.empty}</Text>
  const lines = [...Map.groupBy(days, ({ method, currency }) => `${method} ${currency}`)].flatMap(sumsOf)
  const sorted = lines.sort((one, other) => other.orders - one.orders)
  return (
    <FigureTable
      label={overview.byMethod}
      heads={[words.method, overview.volume, overview.orders, overview.paid, overview.successRate]}
      rows={sorted.map(({ key, method, volume, orders, paid, failed }) => ({
        key,
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

function sumsOf([key, some]: [string, Days]) {
  const [first] = some
  if (first === undefined) return []
  const add = (of: (one: Days[number]) => number) => some.reduce((sum, one) => sum + of(one), 0)
  return [
    {
      key,
      method: first.method,
      volume: sumVolume(
        some.map(({ volume }) => volume),
        first.volume,
      ),
      orders: add((one) => one.orders),
      paid: add((one) => one.paid),
      failed: add((one) => one.failed),
    },
  ]
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
