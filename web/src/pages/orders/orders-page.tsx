// The order list: filters and columns in the page's address, saved views, export, actions on chosen orders, and one
// order in a side panel. Operators see the orders of all merchants or of one merchant.
import { Alert, Group, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'wouter'
import type { InputOf } from '../../api/send.ts'
import { useCall, useList } from '../../api/use-call.ts'
import { DataTable, MoreButton } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { fieldTextWords } from '../../words/field-text.ts'
import { ordersWords } from '../../words/orders.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { ExportButton } from '../exports/export-button.tsx'
import { ScheduleButton } from '../exports/schedule-button.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { type ColumnName, columnsOf, shownColumns } from './order-columns.tsx'
import { OrderPanel } from './order-panel.tsx'
import { ViewsMenu } from './views-menu.tsx'

const PATH = '/orders'

/** These actions are loaded when the first order is chosen. */
const ChosenOrders = lazy(async () => ({ default: (await import('./chosen-orders.tsx')).ChosenOrders }))

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
  const isOfMany = isForAll && merNo === undefined
  const choices = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([value, label]) => ({ value, label }))
  return (
    <PageFrame
      title={orders.title}
      actions={
        <>
          <ViewsMenu path={PATH} />
          <ColumnsMenu filters={layout} />
          {may('orders.export') && (
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
          ...(isForAll ? ([{ kind: 'merchant', name: 'merNo', label: orders.merchant }] as const) : []),
          { kind: 'text', name: 'number', label: orders.number },
          { kind: 'text', name: 'email', label: orders.email },
          { kind: 'text', name: 'card', label: orders.cardEnding },
          { kind: 'text', name: 'name', label: orders.payerName },
          { kind: 'text', name: 'amount', label: orders.amount },
          { kind: 'text', name: 'currency', label: orders.currency },
          { kind: 'choice', name: 'state', label: orders.state, choices: choices(orders.states) },
          { kind: 'choice', name: 'method', label: orders.method, choices: choices(orders.methods) },
          { kind: 'text', name: 'reference', label: orders.reference },
          { kind: 'period', from: 'from', until: 'to', label: orders.period, presets: orders.periods },
        ]}
      />
      <OrderList
        // When the filters change, the chosen orders are cleared.
        key={JSON.stringify(query)}
        query={query}
        names={shownColumns(layout.values.columns)}
        exported={columns}
        openKey={tradeNo}
        isFiltered={Object.keys(texts).length > 0}
        isOfMany={isOfMany}
      />
      {tradeNo !== undefined && <OrderPanel tradeNo={tradeNo} back={PATH} />}
    </PageFrame>
  )
}

type ListProps = {
  readonly query: Query
  readonly names: readonly ColumnName[]
  /** The columns of an export. */
  readonly exported: string
  readonly openKey: string | undefined
  readonly isFiltered: boolean
  readonly isOfMany: boolean
}

function OrderList({ query, names, exported, openKey, isFiltered, isOfMany }: ListProps) {
  const orders = useWords(ordersWords)
  const fieldText = useWords(fieldTextWords)
  const list = useList('GET /orders', { query })
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const chosen = list.rows?.filter(({ tradeNo }) => keys.has(tradeNo)) ?? []
  const wrong = Object.values(list.error?.fields ?? {}).map(fieldText)
  if (wrong.length > 0)
    return (
      <Alert color="red" role="alert">
        {wrong.join(' ')}
      </Alert>
    )
  // The server stopped at its limit for one page before it found a match.
  if (list.rows?.length === 0 && list.hasMore)
    return (
      <Group>
        <span role="status">{orders.cut}</span>
        <MoreButton list={list} />
      </Group>
    )
  return (
    <>
      <Group className="list-line" gap="sm">
        {chosen.length > 0 ? (
          <Suspense>
            <ChosenOrders orders={chosen} columns={exported} clear={() => setKeys(new Set())} />
          </Suspense>
        ) : (
          <OrderCount query={query} isOfMany={isOfMany} />
        )}
      </Group>
      <DataTable
        label={orders.title}
        list={list}
        columns={columnsOf(orders, names, isOfMany)}
        rowKey={(row) => row.tradeNo}
        open={(row) => `${PATH}/${row.tradeNo}`}
        openKey={openKey}
        choice={{
          keys,
          choose: setKeys,
          allLabel: orders.chooseAll,
          rowLabel: (row) => orders.chooseRow(row.merOrderNo),
        }}
        empty={
          isFiltered ? (
            <EmptyState title={orders.nothingFound} hint={orders.nothingFoundHint} />
          ) : (
            <EmptyState title={orders.empty} hint={orders.emptyHint} />
          )
        }
      />
    </>
  )
}

function OrderCount({ query, isOfMany }: Pick<ListProps, 'query' | 'isOfMany'>) {
  const orders = useWords(ordersWords)
  const { language } = useLanguage()
  const { data } = useCall('GET /orders/count', { query })
  const hasDays = query.from !== undefined || query.to !== undefined
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {data !== undefined && orders.count(data.count, data.isExact, language)}
      </Text>
      {isOfMany && hasDays && (
        <Text size="sm" c="dimmed">
          {orders.inUtc}
        </Text>
      )}
    </>
  )
}
