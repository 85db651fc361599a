// Tables of the last thirty days: methods, and the reasons of failed payments.
import { Text } from '@mantine/core'
import { useWords } from '../../words/use-words.tsx'
import { FigureTable } from './figure-table.tsx'
import type { OverviewData } from './overview-page.tsx'
import { useRate } from './use-rate.ts'

export function Methods({ days }: { readonly days: OverviewData['days'] }) {
  const { overview, orders: words } = useWords()
  const rate = useRate()
  if (days.length === 0) return <Text c="dimmed">{words.empty}</Text>
  const methods = [...Map.groupBy(days, ({ method }) => method)].map(([method, some]) => {
    const add = (of: (one: OverviewData['days'][number]) => number) =>
      some.reduce((sum, one) => sum + of(one), 0)
    return {
      method,
      orders: add((one) => one.orders),
      paid: add((one) => one.paid),
      failed: add((one) => one.failed),
    }
  })
  const sorted = methods.sort((one, other) => other.orders - one.orders)
  return (
    <FigureTable
      label={overview.byMethod}
      heads={[words.method, overview.orders, overview.paid, overview.successRate]}
      rows={sorted.map(({ method, orders, paid, failed }) => ({
        key: method,
        cells: [words.methods[method] ?? method, orders, paid, rate(paid, failed)],
      }))}
    />
  )
}

export function Declines({ of }: { readonly of: OverviewData['declines'] }) {
  const { overview, orders: words } = useWords()
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
