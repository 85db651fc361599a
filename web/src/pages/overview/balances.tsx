import type { Reply } from '../../api/send.ts'
import { Money } from '../../parts/money.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { FigureTable } from './figure-table.tsx'

export function Balances({ of }: { readonly of: Reply<'GET /overview'>['balances'] }) {
  const overview = useWords(overviewWords)
  if (of.length === 0) return <EmptyState title={overview.noBalance} hint={overview.noBalanceHint} />
  return (
    <FigureTable
      label={overview.balances}
      heads={[overview.currency, overview.available, overview.unsettled, overview.margin]}
      rows={of.map(({ currency, available, unsettled, margin }) => ({
        key: currency,
        cells: [
          currency,
          <Money key="available" value={available} />,
          <Money key="unsettled" value={unsettled} />,
          <Money key="margin" value={margin} />,
        ],
      }))}
    />
  )
}
