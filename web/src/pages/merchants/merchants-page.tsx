import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useMay } from '../../shell/me.tsx'
import { type MerchantsWords, merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'
import { CreateMerchant } from './create-merchant.tsx'
import { MerchantState, merchantStates } from './merchant-state.tsx'

type Merchant = RowOf<'GET /merchants'>

export function MerchantsPage() {
  const merchants = useWords(merchantsWords)
  const may = useMay()
  const filters = useFilters(['text', 'state', 'asks'])
  const { text, state, asks } = filters.values
  const wanted = merchantStates.find((one) => one === state)
  const list = useList('GET /merchants', {
    query: {
      ...(text !== undefined && { text }),
      ...(wanted !== undefined && { state: wanted }),
      ...(asks === 'yes' && { asksForWebsite: true }),
    },
  })
  const choices = merchantStates.map((value) => ({ value, label: merchants.states[value] }))
  return (
    <PageFrame
      title={merchants.title}
      hint={merchants.hint}
      actions={may('merchants.edit') && <CreateMerchant />}
    >
      <FilterBar
        filters={filters}
        of={[
          { kind: 'text', name: 'text', label: merchants.search },
          { kind: 'choice', name: 'state', label: merchants.state, choices },
          {
            kind: 'choice',
            name: 'asks',
            label: merchants.asks,
            choices: [{ value: 'yes', label: merchants.asksYes }],
          },
        ]}
      />
      <DataTable
        label={merchants.title}
        list={list}
        columns={columnsOf(merchants)}
        rowKey={({ merNo }) => String(merNo)}
        open={({ merNo }) => `/merchants/${merNo}`}
        empty={
          filters.isEmpty ? (
            <EmptyState title={merchants.empty} hint={merchants.emptyHint} />
          ) : (
            <EmptyState title={merchants.nothingFound} hint={merchants.nothingFoundHint} />
          )
        }
      />
    </PageFrame>
  )
}

function columnsOf(merchants: MerchantsWords): readonly Column<Merchant>[] {
  return [
    { id: 'number', head: merchants.number, cell: ({ merNo }) => merNo, width: '120px' },
    { id: 'name', head: merchants.name, cell: ({ name }) => name },
    { id: 'state', head: merchants.state, cell: ({ state }) => <MerchantState state={state} /> },
    {
      id: 'asked',
      head: merchants.asked,
      cell: ({ askedWebsites }) => (askedWebsites === 0 ? '' : askedWebsites),
      align: 'end',
      wideOnly: true,
    },
  ]
}
