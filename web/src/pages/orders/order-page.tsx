// The page of an order: facts and money, the timeline, the order at earlier times, the ledger entries, and the fields
// of its request.
import { SimpleGrid, Stack } from '@mantine/core'
import { useParams } from 'wouter'
import { useCall } from '../../api/use-call.ts'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Part } from '../../parts/part.tsx'
import { Loaded } from '../../parts/states.tsx'
import { TableFrame } from '../../parts/table-frame.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { isOperator, useMe } from '../../shell/me.tsx'
import { accountInWords, ledgerWords, stepInWords } from '../../words/ledger.ts'
import { fieldInWords, orderFieldWords } from '../../words/order-fields.ts'
import { ordersWords } from '../../words/orders.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { BlockButton } from './block-payer.tsx'
import { callsOf, happeningsOf, inOrder, momentsOf, type OrderView } from './happenings.tsx'
import { OrderFacts, OrderMoney } from './order-facts.tsx'
import { PickButton } from './pick-button.tsx'
import { ReceiptButton } from './receipt-button.tsx'
import { RefundButton } from './refund-button.tsx'
import { TimeTravel } from './time-travel.tsx'

export function OrderPage() {
  const { tradeNo } = useParams<{ tradeNo: string }>()
  const order = useCall('GET /orders/:tradeNo', { params: { tradeNo } })
  return (
    <Loaded query={order} lines={14}>
      {(view) => <Shown view={view} readAtMs={order.dataUpdatedAt} />}
    </Loaded>
  )
}

function Shown({ view, readAtMs }: { readonly view: OrderView; readonly readAtMs: number }) {
  const orders = useWords(ordersWords)
  const fields = useWords(orderFieldWords)
  const { locale } = useLanguage()
  const happenings = happeningsOf(view, orders, locale)
  const isForAll = isOperator(useMe())
  const calls = callsOf(view, orders, (id) =>
    isForAll ? `/merchant-requests/${id}?merNo=${view.order.merNo}` : `/developers/requests/${id}`,
  )
  const moments = momentsOf(view, happenings)
  return (
    <PageFrame
      title={`${orders.page} ${view.order.merOrderNo}`}
      actions={
        <>
          <ReceiptButton view={view} />
          <RefundButton view={view} />
          <PickButton view={view} />
          <BlockButton tradeNo={view.order.tradeNo} />
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack gap="xl">
          <OrderFacts view={view} />
          <Part title={orders.money}>
            <OrderMoney view={view} />
          </Part>
          <Part title={orders.timeline}>
            <Timeline of={inOrder([...happenings, ...calls])} />
          </Part>
        </Stack>
        <Stack gap="xl">
          <Part title={orders.timeTravel}>
            <TimeTravel tradeNo={view.order.tradeNo} moments={moments} readAtMs={readAtMs} />
          </Part>
        </Stack>
      </SimpleGrid>
      <Part title={orders.ledger}>
        <Ledger view={view} />
      </Part>
      <Part title={orders.details}>
        <Facts of={view.details.map(({ name, value }) => [fieldInWords(fields, name), value] as const)} />
      </Part>
    </PageFrame>
  )
}

function Ledger({ view }: { readonly view: OrderView }) {
  const orders = useWords(ordersWords)
  const ledger = useWords(ledgerWords)
  return (
    <TableFrame label={orders.ledger}>
      <table className="data-table" aria-label={orders.ledger}>
        <thead>
          <tr>
            <th scope="col">{orders.at}</th>
            <th scope="col">{orders.step}</th>
            <th scope="col">{orders.debit}</th>
            <th scope="col">{orders.credit}</th>
            <th scope="col" className="at-end">
              {orders.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {view.entries.map(({ step, debit, credit, money, at }) => (
            <tr key={step}>
              <td>
                <Moment at={at} show="seconds" />
              </td>
              <td title={step}>{stepInWords(ledger, step)}</td>
              <td title={debit}>{accountInWords(ledger, debit)}</td>
              <td title={credit}>{accountInWords(ledger, credit)}</td>
              <td className="at-end">
                <Money value={money} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
