import { useParams } from 'wouter'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MoneyList } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { RunPanel, runTones } from './run-panel.tsx'

type Run = RowOf<'GET /payouts/runs'>

const PATH = '/payouts/runs'

export function RunsPage() {
  const payouts = useWords(payoutsWords)
  const { runId } = useParams<{ runId?: string }>()
  const list = useList('GET /payouts/runs', {})
  const columns: readonly Column<Run>[] = [
    { id: 'created', head: payouts.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { id: 'reason', head: payouts.reason, wideOnly: true, cell: ({ name, reason }) => name || reason },
    { id: 'by', head: payouts.by, wideOnly: true, cell: ({ createdBy }) => createdBy },
    {
      id: 'state',
      head: payouts.state,
      cell: ({ state }) => <StateLabel tone={runTones[state]}>{payouts.runStates[state]}</StateLabel>,
    },
    {
      id: 'lines',
      head: payouts.lines,
      align: 'end',
      width: '90px',
      wideOnly: true,
      cell: ({ lines }) => lines,
    },
    {
      id: 'total',
      head: payouts.total,
      align: 'end',
      cell: ({ totals }) => <MoneyList of={totals} />,
    },
  ]
  return (
    <PageFrame title={payouts.runs} hint={payouts.runsHint}>
      <DataTable
        label={payouts.runs}
        list={list}
        columns={columns}
        rowKey={(run) => run.runId}
        open={(run) => `${PATH}/${run.runId}`}
        openKey={runId}
        empty={<EmptyState title={payouts.noRuns} hint={payouts.emptyHint} />}
      />
      {runId !== undefined && <RunPanel runId={runId} back={PATH} />}
    </PageFrame>
  )
}
