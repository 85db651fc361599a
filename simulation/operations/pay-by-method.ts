// A payment by each method of the API, followed by the payer's actions at the bank or wallet.
import type { Actor, Operation } from '../operation.ts'
import type { SentOrder } from '../witness.ts'
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

async function payBy(actor: Actor, method: Method): Promise<void> {
  const order = await orderBy(actor, method, `pay by ${method.name}`)
  const payUrl = payUrlOf(order)
  if (payUrl !== undefined) await payOnPages(actor, order.number, payUrl)
}

export function orderBy(
  actor: Actor,
  { paymentType, currencies, fields }: Method,
  by: string,
): Promise<SentOrder> {
  const { random } = actor
  const currencyCode = random.pick(currencies) ?? 'USD'
  const sourceAmount = bankAmount(random, currencyCode)
  const body = orderBody(actor, 'M', { currencyCode, sourceAmount, ...fields(random) })
  const headers = { paymentType }
  return sendOrder(actor, { kind: 'payment', by, path: '/payment', body, headers })
}
