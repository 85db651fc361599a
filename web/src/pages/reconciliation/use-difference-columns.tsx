import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Column } from '../../parts/data-table.tsx'
import { Money } from '../../parts/money.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { reconciliationWords } from '../../words/reconciliation.ts'
import { useWords } from '../../words/use-words.tsx'
import { type Difference, DifferenceActions } from './difference-actions.tsx'

/**
 * Returns the columns of the table of differences. Open differences have buttons. Closed differences show how they were
 * closed.
 */
export function useDifferenceColumns(statementId: string, isOpen: boolean): readonly Column<Difference>[] {
  const words = useWords(reconciliationWords)
  const columns: readonly Column<Difference>[] = [
    {
      id: 'kind',
      head: words.difference,
      width: '190px',
      cell: ({ kind, type, listedBy }) => (
        <>
          {words.kinds[kind]}
          <Text size="xs" c="dimmed">
            {words.types[type]}
          </Text>
          {listedBy !== undefined && (
            <Anchor component={Link} underline="always" href={`/books/reconciliation/${listedBy}`} size="xs">
              {words.otherStatement}
            </Anchor>
          )}
        </>
      ),
    },
    {
      id: 'reference',
      head: words.reference,
      wideOnly: true,
      cell: ({ reference, line, tradeNo }) => (
        <>
          <span className="mono">{reference}</span>
          <Text size="xs" c="dimmed">
            {tradeNo !== undefined && (
              <Anchor component={Link} underline="always" href={`/order/${tradeNo}`} size="xs">
                {words.order}
              </Anchor>
            )}
            {tradeNo !== undefined && line !== undefined && ' · '}
            {line !== undefined && words.line(line)}
          </Text>
        </>
      ),
    },
    {
      id: 'theirs',
      head: words.theirs,
      align: 'end',
      width: '120px',
      cell: ({ theirs }) => (theirs === undefined ? '–' : <Money value={theirs} />),
    },
    {
      id: 'ours',
      head: words.ours,
      align: 'end',
      width: '120px',
      wideOnly: true,
      cell: ({ ours }) => (ours === undefined ? '–' : <Money value={ours} />),
    },
  ]
  const actions: Column<Difference> = {
    id: 'actions',
    head: '',
    align: 'end',
    width: '320px',
    cell: (row) => <DifferenceActions statementId={statementId} difference={row} />,
  }
  const closing: Column<Difference> = {
    id: 'state',
    head: words.state,
    cell: ({ state, note, closedBy }) => (
      <>
        <StateLabel tone="done">{words.states[state]}</StateLabel>
        <Text size="xs" c="dimmed">
          {state === 'listed' ? (
            <Anchor component={Link} underline="always" href={`/books/reconciliation/${closedBy}`} size="xs">
              {words.otherStatement}
            </Anchor>
          ) : (
            [note, closedBy].filter((one) => one !== undefined).join(' · ')
          )}
        </Text>
      </>
    ),
  }
  return [...columns, isOpen ? actions : closing]
}
