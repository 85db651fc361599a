import { useParams } from 'wouter'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { endOfDay, startOfDay } from '../../parts/days.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { type DevelopersWords, developersWords } from '../../words/developers.ts'
import { type FieldText, fieldTextWords } from '../../words/field-text.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, usePath, WithMerchant } from './chosen-merchant.tsx'
import { endpoints } from './endpoints.ts'
import { RequestPanel, RequestResult } from './request-panel.tsx'

type Row = RowOf<'GET /requests'>

export function RequestsPage() {
  const developers = useWords(developersWords)
  return (
    <PageFrame title={developers.requests} hint={developers.requestsHint}>
      <WithMerchant>{(chosen) => <Requests chosen={chosen} />}</WithMerchant>
    </PageFrame>
  )
}

function Requests({ chosen }: { readonly chosen: ChosenMerchant }) {
  const developers = useWords(developersWords)
  const path = usePath('requests')
  const { requestId } = useParams<{ requestId?: string }>()
  const filters = useFilters(['merOrderNo', 'endpoint', 'code', 'refused', 'from', 'until'])
  const { merOrderNo, endpoint, code, refused, from, until } = filters.values
  const [first, end] = [startOfDay(from), endOfDay(until)]
  const query = {
    ...chosen,
    ...(merOrderNo !== undefined && { merOrderNo }),
    ...(endpoint !== undefined && { endpoint }),
    ...(code !== undefined && { code }),
    ...(refused !== undefined && { refused: true }),
    ...(first !== undefined && { from: first }),
    ...(end !== undefined && { until: end }),
  }
  const list = useList('GET /requests', { query })
  const choices = endpoints.map((value) => ({ value, label: value }))
  return (
    <>
      <FilterBar
        filters={filters}
        of={[
          { kind: 'period', from: 'from', until: 'until', label: developers.period },
          { kind: 'text', name: 'merOrderNo', label: developers.order },
          { kind: 'choice', name: 'endpoint', label: developers.endpoint, choices },
          { kind: 'text', name: 'code', label: developers.code },
          {
            kind: 'choice',
            name: 'refused',
            label: developers.refusedOnly,
            choices: [{ value: 'yes', label: developers.yes }],
          },
        ]}
      />
      <DataTable
        label={developers.requests}
        list={list}
        columns={columnsOf(developers, useWords(fieldTextWords))}
        rowKey={(row) => row.requestId}
        open={(row) => `${path}/${row.requestId}`}
        openKey={requestId}
        empty={
          filters.isEmpty ? (
            <EmptyState title={developers.noRequests} hint={developers.noRequestsHint} />
          ) : (
            <EmptyState title={developers.nothingFound} hint={developers.nothingFoundHint} />
          )
        }
      />
      {requestId !== undefined && <RequestPanel requestId={requestId} chosen={chosen} back={path} />}
    </>
  )
}

function columnsOf(words: DevelopersWords, fieldText: FieldText): readonly Column<Row>[] {
  return [
    { id: 'at', head: words.at, cell: ({ at }) => <Moment at={at} show="seconds" />, width: '190px' },
    { id: 'result', head: words.result, cell: (row) => <RequestResult row={row} />, width: '150px' },
    {
      id: 'endpoint',
      head: words.endpoint,
      cell: ({ endpoint }) => <span className="mono">{endpoint}</span>,
    },
    { id: 'order', head: words.order, cell: ({ merOrderNo }) => merOrderNo, wideOnly: true },
    { id: 'reason', head: words.reason, cell: ({ reason }) => reason && fieldText(reason), wideOnly: true },
    {
      id: 'duration',
      head: words.duration,
      cell: ({ durationMs }) => words.ms(durationMs),
      align: 'end',
      width: '100px',
      wideOnly: true,
    },
  ]
}
