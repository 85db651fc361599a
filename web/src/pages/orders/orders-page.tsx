// The order list: filters and columns in the address, views, export, and one order in a side panel.
import { Alert, Group } from '@mantine/core'
import { useParams } from 'wouter'
import type { InputOf } from '../../api/send.ts'
import { useList } from '../../api/use-call.ts'
import { DataTable, MoreButton } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { fieldTextWords } from '../../words/field-text.ts'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import { ExportButton } from '../exports/export-button.tsx'
import { ScheduleButton } from '../exports/schedule-button.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { columnsOf, shownColumns } from './order-columns.tsx'
import { OrderPanel } from './order-panel.tsx'
import { ViewsMenu } from './views-menu.tsx'

const PATH = '/orders'

type Query = NonNullable<InputOf<'GET /orders'>['query']>

const names = [
  'merNo',
  'number',
  'email',
  'name',
  'card',
  'amount',
  'currency',
  'state',
  'method',
  'reference',
  'from',
  'to',
] as const

export function OrdersPage() {
  const orders = useWords(ordersWords)
  const isForAll = isOperator(useMe())
  const may = useMay()
  const { tradeNo } = useParams<{ tradeNo?: string }>()
  const filters = useFilters(names)
  const layout = useFilters(['columns'])
  const { merNo, ...texts } = filters.values
  const query: Query = { ...texts, ...(merNo !== undefined && { merNo: Number(merNo) }) }
  const columns = shownColumns(layout.values.columns)
    .flatMap((name) => (name === 'amount' ? ['amount', 'currency'] : [name]))
    .join(',')
  const canList = !isForAll || merNo !== undefined
  const choices = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([value, label]) => ({ value, label }))
  return (
    <PageFrame
      title={orders.title}
      actions={
        <>
          <ViewsMenu path={PATH} />
          <ColumnsMenu filters={layout} />
          {may('orders.export') && canList && (
            <>
              <ScheduleButton filter={query} columns={columns} />
              <ExportButton
                key={JSON.stringify([query, columns])}
                label={orders.exportThese}
                filter={query}
                columns={columns}
              />
            </>
          )}
        </>
      }
    >
      <FilterBar
        filters={filters}
        of={[
          ...(isForAll ? ([{ kind: 'text', name: 'merNo', label: orders.merchant }] as const) : []),
          { kind: 'text', name: 'number', label: orders.number },
          { kind: 'text', name: 'email', label: orders.email },
          { kind: 'text', name: 'card', label: orders.cardEnding },
          { kind: 'text', name: 'name', label: orders.payerName },
          { kind: 'text', name: 'amount', label: orders.amount },
          { kind: 'text', name: 'currency', label: orders.currency },
          { kind: 'choice', name: 'state', label: orders.state, choices: choices(orders.states) },
          { kind: 'choice', name: 'method', label: orders.method, choices: choices(orders.methods) },
          { kind: 'text', name: 'reference', label: orders.reference },
          { kind: 'period', from: 'from', until: 'to', label: orders.period },
        ]}
      />
      {canList ? (
        <OrderList
          query={query}
          columns={layout.values.columns}
          openKey={tradeNo}
          isFiltered={Object.keys(texts).length > 0}
        />
      ) : (
        <EmptyState title={orders.chooseMerchant} hint={orders.chooseMerchantHint} />
      )}
      {tradeNo !== undefined && <OrderPanel tradeNo={tradeNo} back={PATH} />}
    </PageFrame>
  )
}

type ListProps = {
  readonly query: Query
  readonly columns: string | undefined
  readonly openKey: string | undefined
  readonly isFiltered: boolean
}

function OrderList({ query, columns, openKey, isFiltered }: ListProps) {
  const orders = useWords(ordersWords)
  const fieldText = useWords(fieldTextWords)
  const list = useList('GET /orders', { query })
  const wrong = Object.values(list.error?.fields ?? {}).map(fieldText)
  if (wrong.length > 0)
    return (
      <Alert color="red" role="alert">
        {wrong.join(' ')}
      </Alert>
    )
  // The server's limit for one page was reached before the first match.
  if (list.rows?.length === 0 && list.hasMore)
    return (
      <Group>
        <span role="status">{orders.cut}</span>
        <MoreButton list={list} />
      </Group>
    )
  return (
    <DataTable
      label={orders.title}
      list={list}
      columns={columnsOf(orders, shownColumns(columns))}
      rowKey={(row) => row.tradeNo}
      open={(row) => `${PATH}/${row.tradeNo}`}
      openKey={openKey}
      empty={
        isFiltered ? (
          <EmptyState title={orders.nothingFound} hint={orders.nothingFoundHint} />
        ) : (
          <EmptyState title={orders.empty} hint={orders.emptyHint} />
        )
      }
    />
  )
}
