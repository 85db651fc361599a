// POST /notify: the gateway's notifications. The signature covers the body as it arrived, so this route gets the raw
// bytes of the body. The shop answers SUCCESS only after it has recorded the result. Without SUCCESS, the gateway sends
// the notification again.
import type { FastifyInstance } from 'fastify'
import { type Notification, type Secrets, TollgateError, verifyNotification } from '../sdk/src/entry.ts'
import { signedString } from '../sdk/src/secrets.ts'
import { type Exchanges, type NewExchange, readable } from './exchanges.ts'
import type { Orders, ShopOrder } from './orders.ts'
import { wireAmount } from './prices.ts'

export type NotificationDeps = {
  readonly secrets: Secrets
  readonly orders: Orders
  readonly exchanges: Exchanges
}

const MOST_BYTES = 65_536
/** The number of notification ids that are remembered. A repeated delivery has the same id. */
const MOST_IDS = 500

export async function registerNotifications(app: FastifyInstance, deps: NotificationDeps): Promise<void> {
  const seen = new Set<string>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/notify', async ({ body, headers }, reply) => {
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    try {
      const notification = await verifyNotification(raw, deps.secrets, headers)
      deps.exchanges.add(verified(notification, raw.toString()))
      if (isNew(seen, notification.id)) record(deps.orders, notification)
      return reply.type('text/plain').send('SUCCESS')
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error
      deps.exchanges.add(forged(raw.toString(), error.message))
      return reply.code(400).type('text/plain').send(error.message)
    }
  })
}

function isNew(seen: Set<string>, id: string | undefined): boolean {
  if (id === undefined || seen.has(id)) return id === undefined
  const [oldest] = seen.add(id)
  if (seen.size > MOST_IDS && oldest !== undefined) seen.delete(oldest)
  return true
}

/** Ignores orders that the shop does not know, such as orders from before its last start. */
function record(orders: Orders, { event, status, data }: Notification): void {
  const order = orders.find(data.merOrderNo)
  if (order === undefined) return
  if (event === 'payment')
    orders.report(
      order.number,
      { status, message: data.message, tradeNo: data.tradeNo },
      `Notification: payment ${status}`,
    )
  if (event === 'refund') recordRefund(orders, order, status, data)
  if (event === 'chargeback') orders.dispute(order.number, status)
}

type RefundData = Extract<Notification, { event: 'refund' }>['data']

/** The notification may arrive before the answer to the refund request. Then only the amount identifies the refund. */
function recordRefund(
  orders: Orders,
  order: ShopOrder,
  status: 'succeeded' | 'failed',
  { refundNo, message, refundAmount, refundCurrency }: RefundData,
): void {
  const refund =
    order.refunds.find((one) => one.refundNo === refundNo) ??
    order.refunds.find((one) => one.refundNo === undefined && wireAmount(one.money) === refundAmount)
  if (refund === undefined) return
  const text = `Notification: refund of ${refundAmount} ${refundCurrency} ${status}`
  orders.refund(order.number, { ...refund, refundNo, status, message }, text)
}

function verified({ event, status, data, id }: Notification, body: string): NewExchange {
  const isGood = status !== 'failed' && status !== 'opened' && status !== 'lost'
  return {
    kind: 'notification',
    title: `Notification: ${event}`,
    number: data.merOrderNo,
    state: isGood ? 'good' : 'bad',
    result: `${status}, signature verified`,
    parts: [
      { name: 'Body as it arrived', text: body },
      { name: 'Its fields', text: readable(data) },
      { name: 'String that is signed', text: `${signedString(event, data)}<KEY>` },
      { name: 'webhook-id', text: id ?? 'none' },
      { name: 'Answer, HTTP 200', text: 'SUCCESS' },
    ],
  }
}

function forged(body: string, why: string): NewExchange {
  return {
    kind: 'notification',
    title: 'Notification refused',
    number: '',
    state: 'bad',
    result: 'not from the gateway',
    parts: [
      { name: 'Body as it arrived', text: body.slice(0, 2_000) },
      { name: 'Answer, HTTP 400', text: why },
    ],
  }
}
