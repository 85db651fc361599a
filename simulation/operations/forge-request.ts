// Requests that the gateway must refuse: with a wrong signature, or with a used order number and another amount.
import { cardBody } from '../../test/harness/client.ts'
import { callGateway } from '../call-gateway.ts'
import type { Operation } from '../operation.ts'
import { isAccepted, outcomeOf } from '../witness.ts'
import { orderBody } from './order-body.ts'
import { sendOrder } from './send-order.ts'

export const wrongSignature: Operation = {
  name: 'sign wrongly',
  weight: 5,
  async run(actor) {
    const { world, shop, random } = actor
    const money = { currencyCode: 'USD', sourceAmount: '12.34' }
    const sign = random.pick(['', '0'.repeat(32), 'AAAA', shop.key]) ?? ''
    const body = { ...cardBody(shop, orderBody(actor, 'F', money)), sign }
    const order = await sendOrder(actor, { kind: 'payment', by: this.name, path: '/payment', body })
    world.witness.comparisons += 1
    if (order.answers.some(isAccepted))
      world.witness.violations.push({ what: 'a wrong signature was accepted', about: order.number })
  },
}

export const usedNumber: Operation = {
  name: 'send a used number with another amount',
  weight: 5,
  async run(actor) {
    const { world, shop, random } = actor
    const order = random.pick(world.witness.recentOf(shop))
    if (order === undefined) return
    const { number: merOrderNo, currency: currencyCode } = order
    const fields = { merOrderNo, currencyCode, sourceAmount: '777.00' }
    const answer = await callGateway(shop, '/payment', cardBody(shop, orderBody(actor, 'F', fields)))
    world.history.add(`/payment with another amount ${answer.kind}`, merOrderNo, answer)
    world.witness.count(this.name, outcomeOf(answer))
    world.witness.comparisons += 1
    if (isAccepted(answer))
      world.witness.violations.push({
        what: 'one order number was accepted twice',
        about: merOrderNo,
        rows: answer,
      })
  },
}
