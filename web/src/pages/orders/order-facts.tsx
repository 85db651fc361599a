import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money, type MoneyValue } from '../../parts/money.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import type { OrderView } from './happenings.tsx'
import { cardText } from './order-columns.tsx'
import { OrderState } from './order-state.tsx'

export function OrderFacts({ view }: { readonly view: OrderView }) {
  const orders = useWords(ordersWords)
  const { order } = view
  return (
    <Facts
      of={[
        [orders.state, <OrderState key="state" of={order} />],
        [orders.amount, <Money key="amount" value={order.money} />],
        [orders.method, orders.methods[order.method] ?? order.method],
        [orders.merOrderNo, order.merOrderNo],
        [
          orders.tradeNo,
          <span key="trade" className="mono">
            {order.tradeNo}
          </span>,
        ],
        [orders.createdAt, <Moment key="at" at={order.createdAt} show="seconds" />],
        [orders.payerName, order.payerName],
        [orders.email, order.email && <Customer key="email" by="email" order={order} />],
        [orders.card, order.card && <Customer key="card" by="card" order={order} />],
        [orders.reference, order.reference],
        [orders.message, order.message],
        [orders.merchant, `${view.merchant} (${order.merNo})`],
      ]}
    />
  )
}

/** A link to all orders of the same e-mail address or card. */
function Customer({ by, order }: { readonly by: 'email' | 'card'; readonly order: OrderView['order'] }) {
  return (
    <Anchor component={Link} href={`/customers/${by}/${order.tradeNo}`} inherit>
      {by === 'email' ? order.email : cardText(order)}
    </Anchor>
  )
}

export function OrderMoney({ view }: { readonly view: OrderView }) {
  const orders = useWords(ordersWords)
  const { order, fees } = view
  const shown = (value: MoneyValue | null | undefined) => value && <Money value={value} />
  return (
    <Facts
      of={[
        [orders.received, shown(view.received)],
        [orders.handlingFee, shown(fees.handling)],
        [orders.processingFee, shown(fees.processing)],
        [orders.exceptionFees, isZero(fees.exceptions) ? null : shown(fees.exceptions)],
        [orders.margin, view.margin !== null && isZero(view.margin) ? null : shown(view.marginHeld)],
        [orders.remainder, shown(view.remainder)],
        [orders.refunded, shown(order.refunded)],
        [orders.chargedBack, shown(order.chargedBack)],
        [orders.settleAmount, shown(order.settleMoney)],
        [orders.settledAt, view.settledAt && <Moment at={view.settledAt} />],
        [orders.refundable, isZero(view.refundable) ? null : shown(view.refundable)],
      ]}
    />
  )
}

export function isZero({ amount }: MoneyValue): boolean {
  return /^-?0(\.0+)?$/.test(amount)
}
