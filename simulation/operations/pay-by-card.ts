// Card payments by the API, with sandbox cards of most kinds of behaviour. The payer answers the bank's challenge if
// there is one.
import { cardBody } from '../../test/harness/client.ts'
import { wireAmount } from '../../test/harness/random.ts'
import type { Actor, Operation } from '../operation.ts'
import type { SentOrder } from '../witness.ts'
import { type Body, orderBody } from './order-body.ts'
import { payOnPages } from './payer.ts'
import { payUrlOf, sendOrder } from './send-order.ts'

const DECLINED = '4000000000000002'
const good = ['4242424242424242', '5555555555554444']
const cards = [
  ...good,
  ...good,
  ...good,
  // These cards are declined, each for a different reason.
  DECLINED,
  '4000000000009995',
  '4000000000000069',
  '4000000000000127',
  // These cards are challenged.
  '4000000000003220',
  '4000008400001629',
  // A payment with this card is charged back soon.
  '4000000000000259',
  // Calls with these cards get no response. The first card is charged, and the second card is not.
  '4000000000000119',
  '4000000000006975',
]
const currencies = ['USD', 'EUR', 'JPY']
const BY = 'pay by card'

export const payByCard: Operation = {
  name: BY,
  weight: 160,
  async run(actor) {
    const order = await sendCardPayment(actor, BY, actor.random.pick(cards))
    const payUrl = payUrlOf(order)
    if (payUrl !== undefined) await payOnPages(actor, order.number, payUrl)
  },
}

const FLOOD = 60

/** Half of the payments are declined, so some payments use up the merchant's limits while others release them. */
export const flood: Operation = {
  name: 'flood of one merchant',
  weight: 3,
  async run(actor) {
    const sent = Array.from({ length: FLOOD }, (_, at) => (at % 2 === 0 ? good[0] : DECLINED))
    await Promise.all(sent.map((card) => sendCardPayment(actor, this.name, card)))
  },
}

export function sendCardPayment(
  actor: Actor,
  by: string,
  cardNo: string | undefined,
  money: Body = anyMoney(actor),
): Promise<SentOrder> {
  const own = orderBody(actor, 'C', { ...money, cardNo })
  return sendOrder(actor, { kind: 'payment', by, path: '/payment', body: cardBody(actor.shop, own) })
}

function anyMoney({ random }: Actor): Body {
  const currencyCode = random.pick(currencies) ?? 'USD'
  return { currencyCode, sourceAmount: wireAmount(random, currencyCode) }
}
