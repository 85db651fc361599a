import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { Section } from '../../parts/section.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { linksWords } from '../../words/links.ts'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import { OrderState } from '../orders/order-state.tsx'

export function LinkOrders({ linkId }: { readonly linkId: string }) {
  const links = useWords(linksWords)
  const orders = useWords(ordersWords)
  const list = useList('GET /links/:linkId/orders', { params: { linkId } })
  const columns: readonly Column<RowOf<'GET /links/:linkId/orders'>>[] = [
    {
      id: 'number',
      head: links.orderNo,
      cell: ({ merOrderNo }) => <span className="mono">{merOrderNo}</span>,
    },
    {
      id: 'created',
      head: links.created,
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} show="seconds" />,
    },
    {
      id: 'method',
      head: links.method,
      wideOnly: true,
      cell: ({ method }) => orders.methods[method] ?? method,
    },
    { id: 'state', head: links.status, cell: (row) => <OrderState of={row} /> },
    { id: 'amount', head: links.amount, align: 'end', cell: ({ money }) => <Money value={money} /> },
  ]
  return (
    <Section title={links.orders}>
      <DataTable
        label={links.orders}
        list={list}
        columns={columns}
        rowKey={({ tradeNo }) => tradeNo}
        open={({ tradeNo }) => `/order/${tradeNo}`}
        empty={<EmptyState title={links.noOrders} hint={links.noOrdersHint} />}
      />
    </Section>
  )
}
