// A payment by each method of the interface, and what its payer then does at the bank or wallet.
import type { Operation } from '../operation.ts'
import { bankAmount } from './amounts.ts'
import { type Method, methods } from './methods.ts'
import { orderBody } from './order-body.ts'
import { payOnPages } from './payer.ts'
import { payUrlOf, sendOrder } from './send-order.ts'

export const payByEachMethod: readonly Operation[] = methods.map((method) => ({
  name: `pay by ${method.name}`,
  weight: method.weight ?? 12,
  run: (actor) => payBy(actor, method),
}))

async function payBy(
  actor: Parameters<Operation['run']>[0],
  { name, paymentType, currencies, fields }: Method,
): Promise<void> {
  const { random } = actor
  const currencyCode = random.pick(currencies) ?? 'USD'
  const sourceAmount = bankAmount(random, currencyCode)
  const body = orderBody(actor, 'M', { currencyCode, sourceAmount, ...fields(random) })
  const headers = { paymentType }
  const order = await sendOrder(actor, {
    kind: 'payment',
    by: `pay by ${name}`,
    path: '/payment',
    body,
    headers,
  })
  const payUrl = payUrlOf(order)
  if (payUrl !== undefined) await payOnPages(actor, order.number, payUrl)
}
