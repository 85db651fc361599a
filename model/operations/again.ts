// The back office sends a logged request of a merchant's program again, over HTTP and with a new signature. The new
// request gets its own number, so a repeated refund request makes a further refund.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { wireAmount } from '../../src/platform/base/money.ts'
import type { Gateway } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import type { Model, Refund } from '../rules/facts.ts'
import { applyRefund, newRefund } from '../rules/refunds.ts'
import { sendRefundAgain } from '../send-again.ts'

/** The refunds that the merchant's program requested with a number of the program. */
const requested = ({ orders }: Model) =>
  orders.flatMap(({ refunds }) => refunds.filter(({ merRefundNo }) => merRefundNo?.startsWith('model-')))

export const sendAgain = operation({
  name: 'sendAgain',
  weight: 2,
  input: fc.record({ refund: fc.nat(), given: fc.boolean() }),
  isPossible: (model) => requested(model).length > 0,
  async run(model, gateway, { refund: at, given }) {
    const earlier = mustPick(requested(model), at)
    const { order, amount, remark } = earlier
    const { code, answer } = await sendRefundAgain(gateway, bodyOf(earlier))
    const refundNo = /"refundNo":"(\w+)"/.exec(answer)?.[1] ?? ''
    const merRefundNo = refundNo === '' ? `${earlier.merRefundNo}-new` : await numberOf(gateway, refundNo)
    assert.notEqual(merRefundNo, earlier.merRefundNo, 'the new request has a number of its own')
    const made = applyRefund(model, newRefund(model, { order, amount, merRefundNo, remark, refundNo, given }))
    assert.equal(code, typeof made === 'string' ? made : '00000', 'the rules apply to the new request')
    gateway.count(`sent again ${code}`)
  },
})

function bodyOf({ order, amount, merRefundNo }: Refund) {
  const { shop, tradeNo, merOrderNo, currency } = order
  const { merNo } = shop
  const wanted = { merNo, merOrderNo, tradeNo, merRefundNo, amount: wireAmount({ amount, currency }) }
  return { ...wanted, version: 'V3.0.0', operationType: 'refund' }
}

async function numberOf({ db }: Gateway, refundNo: string): Promise<string | undefined> {
  const [row] = await db.query<{ mer_refund_no: string }>({
    text: 'select mer_refund_no from refunds where refund_no = $1',
    values: [refundNo],
  })
  return row?.mer_refund_no
}
