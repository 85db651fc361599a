// A card payment by the interface, with every sandbox card, and the bank's challenge where there is one.
import { cardBody } from '../../test/client.ts'
import { wireAmount } from '../../test/random.ts'
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
  // Declined, each for another reason.
  DECLINED,
  '4000000000009995',
  '4000000000000069',
  '4000000000000127',
  // With a challenge.
  '4000000000003220',
  '4000008400001629',
  // Charged back soon.
  '4000000000000259',
  // Without an answer: charged, and not charged.
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

/** Half of them are declined: what one takes of the merchant's limits, another gives back at the same time. */
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
