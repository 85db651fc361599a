import { lazy, Suspense } from 'react'
import { useLocation, useParams } from 'wouter'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { OrderBrief } from '../../parts/order-brief.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { casesWords } from '../../words/cases.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { ExportByState } from '../exports/export-button.tsx'
import { DisputeState, isUndecided } from './dispute-state.tsx'
import { OpenDispute } from './open-dispute.tsx'

type Dispute = RowOf<'GET /disputes'>

/** The panel is loaded when the first dispute is opened. */
const DisputePanel = lazy(async () => ({ default: (await import('./dispute-panel.tsx')).DisputePanel }))

export function DisputesPage() {
  const cases = useWords(casesWords)
  const parts = useWords(partsWords)
  const isForAll = isOperator(useMe())
  const may = useMay()
  const path = isForAll ? '/queues/disputes' : '/disputes/cases'
  const { tradeNo } = useParams<{ tradeNo?: string }>()
  const [, goTo] = useLocation()
  const filters = useFilters(['merNo', 'state'])
  const { merNo } = filters.values
  const chosen = merNo === undefined ? {} : { merNo: Number(merNo) }
  const states = ['inquiry', 'closed', 'open', 'won', 'lost'] as const
  const state = states.find((name) => name === filters.values.state)
  const list = useList('GET /disputes', { query: { ...chosen, ...(state !== undefined && { state }) } })
  const merchant: Column<Dispute> = {
    id: 'merchant',
    head: cases.merchant,
    width: '100px',
    wideOnly: true,
    cell: ({ merNo }) => merNo,
  }
  const columns: readonly Column<Dispute>[] = [
    { id: 'order', head: cases.order, cell: (row) => <OrderBrief tradeNo={row.tradeNo} order={row.order} /> },
    ...(isForAll && merNo === undefined ? [merchant] : []),
    { id: 'reason', head: cases.reason, wideOnly: true, cell: ({ reasonInWords }) => reasonInWords },
    {
      id: 'evidence',
      head: cases.evidence,
      align: 'end',
      width: '90px',
      wideOnly: true,
      cell: (row) => row.evidence,
    },
    {
      id: 'answerBy',
      head: cases.answerBy,
      wideOnly: true,
      cell: (row) =>
        isUndecided(row) && row.answerBy !== undefined && <Moment at={row.answerBy} show="date" />,
    },
    {
      id: 'state',
      head: cases.state,
      width: '140px',
      cell: (row) => <DisputeState of={row} />,
    },
    { id: 'amount', head: cases.amount, align: 'end', cell: ({ money }) => <Money value={money} /> },
  ]
  return (
    <PageFrame
      title={cases.disputes}
      hint={cases.disputesHint}
      actions={
        <>
          {may('disputes.decide') && <OpenDispute opened={(no) => goTo(`${path}/${no}`)} />}
          <ExportByState label={cases.exportThese} list="disputes" state={state} chosen={chosen} />
        </>
      }
    >
      <FilterBar
        filters={filters}
        of={[
          ...(isForAll ? ([{ kind: 'merchant', name: 'merNo', label: cases.merchant }] as const) : []),
          {
            kind: 'choice',
            name: 'state',
            label: cases.state,
            choices: Object.entries(cases.states).map(([value, label]) => ({ value, label })),
          },
        ]}
      />
      <DataTable
        label={cases.disputes}
        list={list}
        columns={columns}
        rowKey={(row) => row.chargebackId}
        open={(row) => `${path}/${row.tradeNo}`}
        empty={
          filters.isEmpty ? (
            <EmptyState title={cases.noDisputes} hint={cases.noDisputesHint} />
          ) : (
            <EmptyState title={cases.noDisputeFound} hint={parts.otherFilter} />
          )
        }
      />
      {tradeNo !== undefined && (
        <Suspense>
          <DisputePanel tradeNo={tradeNo} back={path} done={() => goTo(path)} />
        </Suspense>
      )}
    </PageFrame>
  )
}
