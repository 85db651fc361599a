// Sends an order and records it, before and after. A merchant that got no answer does what the interface advises: it sends the
// same number again, or asks for the order.
import { callGateway } from '../call-gateway.ts'
import type { Actor } from '../operation.ts'
import type { Answer, OrderKind, SentOrder } from '../witness.ts'

export type ToSend = {
  readonly kind: OrderKind
  readonly by: string
  readonly path: string
  readonly body: Record<string, unknown>
}

export async function sendOrder(actor: Actor, { kind, by, path, body }: ToSend): Promise<SentOrder> {
  const { world, shop, random } = actor
  const number = String(body.merOrderNo)
  const order: SentOrder = {
    shop,
    number,
    kind,
    by,
    amount: String(body.sourceAmount),
    currency: String(body.currencyCode),
    answers: [],
    tradeNo: undefined,
  }
  world.witness.orders.set(number, order)
  const send = async () => {
    world.history.add(`${path} sent`, number, body)
    const answer = await callGateway(shop, path, body)
    world.history.add(`${path} ${answer.kind}`, number, answer)
    order.answers.push(answer)
    noteTradeNo(order, answer)
    return answer
  }
  // Some merchants send everything twice at once.
  const answers = await Promise.all(random.chance(0.05) ? [send(), send()] : [send()])
  if (answers.some(isUnclear) && random.chance(0.5)) await send()
  return order
}

function isUnclear(answer: Answer): boolean {
  return answer.kind === 'lost' || answer.code === '99999'
}

export function noteTradeNo(order: SentOrder, answer: Answer): void {
  if (answer.kind === 'answered' && typeof answer.data.tradeNo === 'string')
    order.tradeNo ??= answer.data.tradeNo
}
