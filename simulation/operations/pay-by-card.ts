// A card payment by the interface, with every sandbox card.

import { cardBody } from '../../test/client.ts'
import { wireAmount } from '../../test/random.ts'
import type { Operation } from '../operation.ts'
import { sendOrder } from './send-order.ts'

const cards = [
  '4242424242424242',
  '4242424242424242',
  '5555555555554444',
  '4000000000000002',
  '4000000000009995',
  '4000000000000119',
  '4000000000006975',
]
const currencies = ['USD', 'EUR', 'JPY']

export const payByCard: Operation = {
  name: 'pay by card',
  weight: 10,
  async run(actor) {
    const { random, shop, world } = actor
    const currencyCode = random.pick(currencies) ?? 'USD'
    const body = cardBody(shop, {
      merOrderNo: world.witness.newNumber('C'),
      currencyCode,
      sourceAmount: wireAmount(random, currencyCode),
      cardNo: random.pick(cards),
      notifyUrl: `${world.merchants.url}/${shop.merNo}/payment`,
    })
    await sendOrder(actor, { kind: 'payment', by: 'pay by card', path: '/payment', body })
  },
}
