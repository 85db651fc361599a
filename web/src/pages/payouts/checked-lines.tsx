import { Text } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { formatMoney, Money } from '../../parts/money.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { fieldTextWords } from '../../words/field-text.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { AccountText } from './account-text.tsx'

type Line = Reply<'POST /payouts/check'>['lines'][number]

export function CheckedLines({ lines }: { readonly lines: readonly Line[] }) {
  const { locale } = useLanguage()
  const payouts = useWords(payoutsWords)
  const fieldText = useWords(fieldTextWords)
  const list = {
    rows: lines,
    error: null,
    isStale: false,
    hasMore: false,
    isLoadingMore: false,
    moreError: null,
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
        // The line number is left out for a single payout, because it comes from the form and not from a file.
        ...(lines.length > 1 ? [lineNumber(payouts.line)] : []),
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
          cell: ({ problem, isNew, currencyDoubt: doubt, money }) =>
            problem === undefined ? (
              <>
                <StateLabel tone={isNew ? 'waiting' : 'done'}>
                  {isNew ? payouts.newAccount : payouts.ready}
                </StateLabel>
                {doubt !== undefined && (
                  <Text size="xs" className="wraps">
                    {payouts.currencyDoubt(doubt.country, money?.currency ?? '', doubt.usual)}
                  </Text>
                )}
              </>
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
          cell: ({ money, coin }) => (
            <>
              {money !== undefined && <Money value={money} />}
              {coin !== undefined && (
                <Text size="xs" c="dimmed" className="wraps">
                  {payouts.about(formatMoney(coin, locale))}
                </Text>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

function lineNumber(head: string): Column<Line> {
  return { id: 'line', head, width: '60px', cell: ({ line }) => line }
}
