// Sends an order and records the request and its answer. A merchant without a clear answer follows the API's advice:
// sends the same number again, or queries the order.
import { callGateway } from '../call-gateway.ts'
import type { Actor } from '../operation.ts'
import {
  type Answer,
  isAccepted,
  isUnclear,
  type OrderKind,
  outcomeOf,
  type SentOrder,
  type Witness,
} from '../witness.ts'
import { lookUp } from './look-up.ts'

export type ToSend = {
  readonly kind: OrderKind
  readonly by: string
  readonly path: string
  readonly body: Record<string, unknown>
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces `callGateway` for an endpoint whose response is not JSON. */
  readonly call?: typeof callGateway
}

export async function sendOrder(actor: Actor, toSend: ToSend): Promise<SentOrder> {
  const { world, shop, random } = actor
  const { path, body, headers = {}, call = callGateway } = toSend
  const order = recordOrder(actor, toSend)
  const { number } = order
  const send = async () => {
    world.history.add(`${path} sent`, number, body)
    const answer = await call(shop, path, body, headers)
    world.history.add(`${path} ${answer.kind}`, number, answer)
    noteAnswer(world.witness, order, answer)
    return answer
  }
  // Some merchants send their requests twice at once.
  const answers = await Promise.all(random.chance(0.05) ? [send(), send()] : [send()])
  if (answers.some(isUnclear)) await (random.chance(0.5) ? send() : lookUp(actor, [order]))
  return order
}

function recordOrder({ world, shop }: Actor, { kind, by, body }: ToSend): SentOrder {
  const order: SentOrder = {
    shop,
    number: String(body.merOrderNo),
    kind,
    by,
    amount: String(body.sourceAmount),
    currency: String(body.currencyCode),
    answers: [],
    tradeNo: undefined,
    lastListed: undefined,
    lastQueried: undefined,
  }
  world.witness.orders.set(order.number, order)
  return order
}

function noteAnswer(witness: Witness, order: SentOrder, answer: Answer): void {
  order.answers.push(answer)
  noteTradeNo(order, answer)
  witness.count(order.by, outcomeOf(answer))
  if (isAccepted(answer)) witness.addRecent(order)
}

function noteTradeNo(order: SentOrder, answer: Answer): void {
  if (answer.kind === 'answered' && typeof answer.data.tradeNo === 'string')
    order.tradeNo ??= answer.data.tradeNo
}

/** Returns the address of the payer's next page, or undefined if no answer contained it. */
export function payUrlOf({ answers }: SentOrder): string | undefined {
  for (const answer of answers)
    if (answer.kind === 'answered' && typeof answer.data.payUrl === 'string') return answer.data.payUrl
  return undefined
}
