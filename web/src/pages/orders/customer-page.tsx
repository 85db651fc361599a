// A merchant's orders with the same e-mail address or the same card as a given order, with sums by currency.
import { Text } from '@mantine/core'
import { useParams } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { useCall, useList } from '../../api/use-call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { Section } from '../../parts/section.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import { cardText, columnsOf } from './order-columns.tsx'

type Customer = Reply<'GET /orders/:tradeNo/customer'>
type By = 'email' | 'card'

export function CustomerPage() {
  const { by, tradeNo } = useParams<{ by: string; tradeNo: string }>()
  return <Shown by={by === 'card' ? 'card' : 'email'} tradeNo={tradeNo} />
}

function Shown({ by, tradeNo }: { readonly by: By; readonly tradeNo: string }) {
  const orders = useWords(ordersWords)
  const input = { params: { tradeNo }, query: { by } }
  const customer = useCall('GET /orders/:tradeNo/customer', input)
  const list = useList('GET /orders/:tradeNo/customer/orders', input)
  const columns = columnsOf(
    orders,
    ['merOrderNo', 'amount', 'state', 'createdAt', 'method', 'payerName', by === 'email' ? 'card' : 'email'],
    false,
  )
  return (
    <Loaded query={customer} lines={10}>
      {(of) => (
        <PageFrame title={of.email ?? cardText(of)} hint={orders.customerHint[by]}>
          <Section title={orders.customerSums}>
            <Sums of={of.sums} />
            {of.isCut && <Text c="dimmed">{orders.customerCut}</Text>}
          </Section>
          <Section title={orders.title}>
            <DataTable
              label={orders.customerOrders}
              list={list}
              columns={columns}
              rowKey={(row) => row.tradeNo}
              open={(row) => `/order/${row.tradeNo}`}
              empty={<EmptyState title={orders.nothingFound} hint={orders.nothingFoundHint} />}
            />
          </Section>
        </PageFrame>
      )}
    </Loaded>
  )
}

function Sums({ of }: { readonly of: Customer['sums'] }) {
  const orders = useWords(ordersWords)
  const heads = [orders.orderCount, orders.failedCount, orders.paid, orders.refunded, orders.disputed]
  return (
    <PlainTable label={orders.customerSums}>
      <thead>
        <tr>
          <th scope="col">{orders.currency}</th>
          {heads.map((head) => (
            <th key={head} scope="col" className="at-end">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.map(({ orders: count, failed, paid, refunded, disputed }) => (
          <tr key={paid.currency}>
            <th scope="row">{paid.currency}</th>
            <td className="at-end">{count}</td>
            <td className="at-end">{failed}</td>
            {[paid, refunded, disputed].map((money, at) => (
              <td key={heads[at + 2]} className="at-end">
                <Money value={money} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}
