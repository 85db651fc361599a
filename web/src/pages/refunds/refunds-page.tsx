// Refunds, newest first. Operators see the refunds of all merchants or of one merchant. A row links to the refunded
// order.
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ReturnCost } from '../../parts/return-cost.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMe } from '../../shell/me.tsx'
import { type FieldText, fieldTextWords } from '../../words/field-text.ts'
import { type OrdersWords, ordersWords } from '../../words/orders.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, WithMerchant } from '../developers/chosen-merchant.tsx'
import { ExportByState } from '../exports/export-button.tsx'

type Refund = RowOf<'GET /refunds'>

const tones: Readonly<Record<string, Tone>> = { succeeded: 'done', failed: 'error', returned: 'error' }

export function RefundsPage() {
  return <WithMerchant orAll>{(chosen) => <Refunds chosen={chosen} />}</WithMerchant>
}

function Refunds({ chosen }: { readonly chosen: ChosenMerchant }) {
  const orders = useWords(ordersWords)
  const parts = useWords(partsWords)
  const isForAll = isOperator(useMe())
  const filters = useFilters(['merNo', 'state'])
  const { state } = filters.values
  const list = useList('GET /refunds', { query: { ...chosen, ...(state !== undefined && { state }) } })
  const choices = Object.entries(orders.refundStates).map(([value, label]) => ({ value, label }))
  return (
    <PageFrame
      title={orders.refunds}
      hint={orders.refundsHint}
      actions={<ExportByState label={orders.exportRefunds} list="refunds" state={state} chosen={chosen} />}
    >
      <FilterBar
        filters={filters}
        of={[
          ...(isForAll ? ([{ kind: 'merchant', name: 'merNo', label: orders.merchant }] as const) : []),
          { kind: 'choice', name: 'state', label: orders.state, choices },
        ]}
      />
      <DataTable
        label={orders.refunds}
        list={list}
        columns={columnsOf(orders, useWords(fieldTextWords), isForAll && chosen.merNo === undefined)}
        rowKey={({ refundNo }) => refundNo}
        open={({ tradeNo }) => `/order/${tradeNo}`}
        empty={
          state === undefined ? (
            <EmptyState title={orders.noRefunds} hint={orders.noRefundsHint} />
          ) : (
            <EmptyState title={orders.noRefundFound} hint={parts.otherFilter} />
          )
        }
      />
    </PageFrame>
  )
}

function columnsOf(orders: OrdersWords, fieldText: FieldText, isOfMany: boolean): readonly Column<Refund>[] {
  const merchant: Column<Refund> = {
    id: 'merchant',
    head: orders.merchant,
    width: '100px',
    wideOnly: true,
    cell: ({ merNo }) => merNo,
  }
  return [
    { id: 'order', head: orders.merOrderNo, cell: ({ merOrderNo }) => merOrderNo },
    ...(isOfMany ? [merchant] : []),
    {
      id: 'created',
      head: orders.createdAt,
      width: '170px',
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      id: 'state',
      head: orders.state,
      width: '150px',
      cell: ({ state, message, returnCost }) => (
        <span title={fieldText(message)}>
          <StateLabel tone={tones[state] ?? 'waiting'}>{orders.refundStates[state] ?? state}</StateLabel>
          {returnCost && <ReturnCost value={returnCost} />}
        </span>
      ),
    },
    { id: 'reason', head: orders.refundReason, wideOnly: true, cell: ({ remark }) => remark },
    {
      id: 'amount',
      head: orders.amount,
      align: 'end',
      width: '130px',
      cell: ({ money }) => <Money value={money} />,
    },
  ]
}
