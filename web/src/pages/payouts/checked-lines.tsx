import type { Reply } from '../../api/send.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Money } from '../../parts/money.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { useWords } from '../../words/use-words.tsx'
import { AccountText } from './account-text.tsx'

type Line = Reply<'POST /payouts/check'>['lines'][number]

/** The lines of a form or file, each with what is wrong with it. */
export function CheckedLines({ lines }: { readonly lines: readonly Line[] }) {
  const { payouts, fieldText } = useWords()
  const list = {
    rows: lines,
    error: null,
    isStale: false,
    hasMore: false,
    isLoadingMore: false,
    more: () => {},
    retry: () => {},
  }
  return (
    <DataTable
      label={payouts.lines}
      list={list}
      rowKey={({ line }) => String(line)}
      empty={null}
      columns={[
        { id: 'line', head: payouts.line, width: '60px', cell: ({ line }) => line },
        { id: 'beneficiary', head: payouts.beneficiary, cell: ({ beneficiary }) => beneficiary },
        {
          id: 'account',
          head: payouts.account,
          width: '120px',
          wideOnly: true,
          cell: ({ account }) => <AccountText account={account} />,
        },
        {
          id: 'state',
          head: payouts.problem,
          cell: ({ problem, isNew }) =>
            problem === undefined ? (
              <StateLabel tone={isNew ? 'waiting' : 'done'}>
                {isNew ? payouts.newAccount : payouts.ready}
              </StateLabel>
            ) : (
              <span title={fieldText(problem)}>
                <StateLabel tone="error">{fieldText(problem)}</StateLabel>
              </span>
            ),
        },
        {
          id: 'amount',
          head: payouts.amount,
          align: 'end',
          width: '130px',
          cell: ({ money }) => (money === undefined ? '' : <Money value={money} />),
        },
      ]}
    />
  )
}
