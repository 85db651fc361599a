// The order behind a dispute: payer, card, products, delivery and billing, and the payer's earlier orders.
import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { disputesWords } from '../../words/disputes.ts'
import { fieldInWords, orderFieldWords } from '../../words/order-fields.ts'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import { cardText } from '../orders/order-columns.tsx'
import { OrderState } from '../orders/order-state.tsx'

type Found = NonNullable<Reply<'GET /disputes/:tradeNo'>['order']>

export function DisputedOrder({ found }: { readonly found: Found }) {
  const disputes = useWords(disputesWords)
  const orders = useWords(ordersWords)
  const fields = useWords(orderFieldWords)
  const { order, details, products, earlier, threeDSecure = 'unknown' } = found
  return (
    <Stack gap="lg">
      <Part size="h5" title={disputes.payer}>
        <Facts
          of={[
            [orders.merOrderNo, <OrderLink key="order" of={order} />],
            [orders.amount, <Money key="amount" value={order.money} />],
            [orders.createdAt, <Moment key="at" at={order.createdAt} />],
            [orders.payerName, order.payerName],
            [orders.email, order.email],
            [orders.method, orders.methods[order.method] ?? order.method],
            [orders.card, cardText(order)],
            [disputes.threeDSecure, order.card && disputes.challenges[threeDSecure]],
          ]}
        />
      </Part>
      {products.length > 0 && <Products of={products} />}
      {details.length > 0 && (
        <Part size="h5" title={disputes.delivery}>
          <Facts of={details.map(({ name, value }) => [fieldInWords(fields, name), value] as const)} />
        </Part>
      )}
      <Part size="h5" title={disputes.earlier}>
        {earlier.length === 0 ? <Text c="dimmed">{disputes.noEarlier}</Text> : <Earlier of={earlier} />}
      </Part>
    </Stack>
  )
}

function OrderLink({ of: { tradeNo, merOrderNo } }: { readonly of: Found['order'] }) {
  return (
    <Anchor component={Link} underline="always" size="sm" href={`/order/${tradeNo}`}>
      {merOrderNo}
    </Anchor>
  )
}

function Products({ of }: { readonly of: Found['products'] }) {
  const disputes = useWords(disputesWords)
  return (
    <Part size="h5" title={disputes.products}>
      <PlainTable label={disputes.products}>
        <thead>
          <tr>
            <th scope="col">{disputes.product}</th>
            <th scope="col" className="at-end">
              {disputes.quantity}
            </th>
            <th scope="col" className="at-end">
              {disputes.price}
            </th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ name, sku, quantity, price }) => (
            <tr key={`${sku} ${name}`}>
              <td className="wraps">{sku === '' ? name : `${name} (${sku})`}</td>
              <td className="at-end">{quantity}</td>
              <td className="at-end">{price}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Part>
  )
}

function Earlier({ of }: { readonly of: Found['earlier'] }) {
  const disputes = useWords(disputesWords)
  const orders = useWords(ordersWords)
  return (
    <PlainTable label={disputes.earlier}>
      <thead>
        <tr>
          <th scope="col">{orders.merOrderNo}</th>
          <th scope="col" className="wide-only">
            {orders.createdAt}
          </th>
          <th scope="col">{orders.state}</th>
          <th scope="col" className="at-end">
            {orders.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map((order) => (
          <tr key={order.tradeNo}>
            <td>
              <OrderLink of={order} />
            </td>
            <td className="wide-only">
              <Moment at={order.createdAt} show="date" />
            </td>
            <td>
              <OrderState of={order} />
            </td>
            <td className="at-end">
              <Money value={order.money} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}
