// A payer cancels a payment by transfer and still sends the money. The money must go to suspense, and the order must
// stay cancelled.
import type { Operation } from '../operation.ts'
import { methods } from './methods.ts'
import { orderBy } from './pay-by-method.ts'
import { payAfterCancelling } from './payer.ts'
import { payUrlOf } from './send-order.ts'

const NAME = 'pay after cancelling'
const transfers = methods.filter(({ paymentType }) =>
  ['SPEI', 'PER_TRANSFER', 'SEPA', 'VN_BANK', 'CRYPTO'].includes(paymentType),
)

export const payTooLate: Operation = {
  name: NAME,
  weight: 8,
  async run(actor) {
    const method = actor.random.pick(transfers)
    if (method === undefined) return
    const order = await orderBy(actor, method, NAME)
    const payUrl = payUrlOf(order)
    if (payUrl !== undefined) await payAfterCancelling(actor, order.number, payUrl)
  },
}
