// The shop's orders, in memory: the newest 200 until the shop stops. A real shop has a table, and the same rules: an
// order is sent to the gateway once, and a paid order stays paid, whatever later or delayed reports say.
import type { PaymentAnswer } from '../sdk/src/entry.ts'
import type { Money } from '../src/platform/base/money.ts'
import type { Line } from './cart.ts'

export type OrderStatus =
  /** The request is under way. */
  | 'sending'
  /** The payer has yet to pay. */
  | 'pending'
  /** No answer came. The shop queries the gateway by the order number. */
  | 'unknown'
  /** The gateway has not stored the order. The shop may send the order again under its number. */
  | 'not-sent'
  /** The gateway refused the request and stored nothing. */
  | 'refused'
  | 'failed'
  | 'succeeded'

export type ShopRefund = {
  /** The shop's own number. */
  readonly number: string
  /** The gateway's number. Undefined until the gateway answers. */
  readonly refundNo: string | undefined
  readonly money: Money
  readonly status: 'sending' | 'pending' | 'failed' | 'succeeded'
  readonly message: string
}

/**
 * Where the payer pays: on the gateway's page, on the same page in a window over the shop, or by a code or an account
 * on the order page.
 */
export type PaidAt = 'page' | 'window' | 'order'

export type Happening = { readonly at: Date; readonly text: string }

export type ShopOrder = {
  readonly number: string
  readonly at: Date
  readonly lines: readonly Line[]
  readonly money: Money
  /** The method's name for people, such as "Pix" or "Card". */
  readonly way: string
  readonly paidAt: PaidAt
  readonly status: OrderStatus
  /** The gateway's message. */
  readonly message: string
  /** The advice about a refusal. */
  readonly advice: string
  readonly tradeNo: string | undefined
  readonly answer: PaymentAnswer | undefined
  readonly refunds: readonly ShopRefund[]
  readonly dispute: 'opened' | 'won' | 'lost' | undefined
  readonly happenings: readonly Happening[]
}

export type NewOrder = Pick<ShopOrder, 'number' | 'lines' | 'money' | 'way' | 'paidAt'>

/** The facts about an order in an answer, a query or a notification. */
export type Report = {
  readonly status: OrderStatus
  readonly message?: string
  readonly advice?: string
  readonly tradeNo?: string | undefined
  readonly answer?: PaymentAnswer | undefined
}

export type Orders = {
  /** The orders, newest first. */
  list(): readonly ShopOrder[]
  find(number: string): ShopOrder | undefined
  add(order: NewOrder): ShopOrder
  /** `text` is the new line in the order's history. */
  report(number: string, report: Report, text: string): void
  refund(number: string, refund: ShopRefund, text: string): void
  dispute(number: string, dispute: NonNullable<ShopOrder['dispute']>): void
}

const MOST_ORDERS = 200
const MOST_HAPPENINGS = 40
const MOST_REFUNDS = 20

export function createOrders(onChange: (number: string) => void): Orders {
  const stored = new Map<string, ShopOrder>()
  const change = (number: string, by: (order: ShopOrder) => Partial<ShopOrder>, text: string) => {
    const before = stored.get(number)
    if (before === undefined) return
    const happenings = [...before.happenings, { at: new Date(), text }].slice(-MOST_HAPPENINGS)
    stored.set(number, { ...before, ...by(before), happenings })
    onChange(number)
  }
  return {
    list: () => [...stored.values()].reverse(),
    find: (number) => stored.get(number),
    add(order) {
      const added = newOrder(order)
      stored.delete(order.number)
      stored.set(order.number, added)
      const [oldest] = stored.keys()
      if (stored.size > MOST_ORDERS && oldest !== undefined) stored.delete(oldest)
      onChange(order.number)
      return added
    },
    report: (number, report, text) => change(number, (order) => reported(order, report), text),
    refund: (number, refund, text) =>
      change(number, (order) => ({ refunds: withRefund(order, refund) }), text),
    dispute: (number, dispute) => change(number, () => ({ dispute }), `Chargeback ${dispute}`),
  }
}

function newOrder(order: NewOrder): ShopOrder {
  const at = new Date()
  return {
    ...order,
    at,
    status: 'sending',
    message: '',
    advice: '',
    tradeNo: undefined,
    answer: undefined,
    refunds: [],
    dispute: undefined,
    happenings: [{ at, text: `Order placed: ${order.way}` }],
  }
}

/** Reports may come twice and in any order. A paid order stays paid, and a failed order can only become paid. */
export function reported(order: ShopOrder, report: Report): Partial<ShopOrder> {
  const tradeNo = report.tradeNo ?? order.tradeNo
  const isDecided = order.status === 'succeeded' || order.status === 'failed'
  if (isDecided && report.status !== 'succeeded') return { tradeNo }
  const { status, message = '', advice = '', answer = order.answer } = report
  return { status, message, advice, tradeNo, answer }
}

function withRefund({ refunds }: ShopOrder, refund: ShopRefund): readonly ShopRefund[] {
  const before = refunds.find(({ number }) => number === refund.number)
  if (before === undefined) return [...refunds, refund].slice(-MOST_REFUNDS)
  const isDecided = before.status === 'succeeded' || before.status === 'failed'
  const now = isDecided ? before : refund
  return refunds.map((one) => (one === before ? now : one))
}

/** The amount that can still be refunded. Refunds in progress count as done. */
export function leftToRefund({ money, refunds }: Pick<ShopOrder, 'money' | 'refunds'>): bigint {
  const standing = refunds.filter(({ status }) => status !== 'failed')
  return standing.reduce((left, refund) => left - refund.money.amount, money.amount)
}
