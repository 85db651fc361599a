// One statement of a channel: its figures, and each difference with its actions.
import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useParams } from 'wouter'
import { useCall, useList } from '../../api/use-call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MoneyList } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { reconciliationWords } from '../../words/reconciliation.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { daysOf } from './days-of.ts'
import { useDifferenceColumns } from './use-difference-columns.tsx'

export function StatementPage() {
  const reconciliation = useWords(reconciliationWords)
  const { locale } = useLanguage()
  const { statementId = '' } = useParams<{ statementId: string }>()
  const found = useCall('GET /reconciliation/statements/:statementId', { params: { statementId } })
  return (
    <Loaded query={found} lines={10}>
      {({ statement }) => (
        <PageFrame
          title={statement.fileName}
          hint={reconciliation.statementHint(statement.channel, statement.importedBy)}
        >
          <Facts
            of={[
              [reconciliation.days, daysOf(statement, locale) ?? reconciliation.noDays],
              [reconciliation.lines, statement.lines],
              [reconciliation.matched, statement.matched],
              [reconciliation.differences, reconciliation.openOf(statement.open, statement.different)],
              [reconciliation.booked, statement.booked],
              [reconciliation.withdrawn, statement.withdrawn],
              [
                reconciliation.fees,
                statement.fees.length === 0 ? null : <MoneyList key="fees" of={statement.fees} />,
              ],
              [reconciliation.at, <Moment key="at" at={statement.importedAt} />],
            ]}
          />
          <Differences statementId={statementId} />
        </PageFrame>
      )}
    </Loaded>
  )
}

function Differences({ statementId }: { readonly statementId: string }) {
  const reconciliation = useWords(reconciliationWords)
  const filters = useFilters(['state'])
  const state = filters.values.state === 'closed' ? 'closed' : 'open'
  const list = useList('GET /reconciliation/statements/:statementId/differences', {
    params: { statementId },
    query: { state },
  })
  const columns = useDifferenceColumns(statementId, state === 'open')
  return (
    <Stack gap="sm">
      <SegmentedControl
        value={state}
        onChange={(next) => filters.set({ state: next === 'open' ? undefined : next })}
        data={[
          { value: 'open', label: reconciliation.open },
          { value: 'closed', label: reconciliation.closed },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {state === 'open' && list.rows?.some(({ kind }) => kind === 'not repeated') && (
        <Text size="sm">{reconciliation.notRepeatedHint}</Text>
      )}
      <DataTable
        label={reconciliation.differences}
        list={list}
        columns={columns}
        rowKey={({ no }) => String(no)}
        empty={
          <EmptyState
            title={state === 'open' ? reconciliation.noOpen : reconciliation.noClosed}
            hint={state === 'open' ? reconciliation.noOpenHint : reconciliation.noClosedHint}
          />
        }
      />
    </Stack>
  )
}
