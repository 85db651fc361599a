import { type ApplyDeps, applyRefund } from '../../../money/refunds/apply-refund.ts'
import { refundSums } from '../../../money/refunds/refund.ts'
import { textOf } from '../fields/field-values.ts'
import type { Handler } from '../frame.ts'

/**
 * Handles `/refund/apply`. The response is sent once the refund is committed. A notification reports the channel's
 * result later.
 */
export function createRefundHandler(deps: ApplyDeps): Handler {
  return async ({ merchant, fields, isReplayProof }) => {
    const refund = await applyRefund(deps, merchant, {
      tradeNo: textOf(fields, 'tradeNo'),
      merOrderNo: textOf(fields, 'merOrderNo'),
      amount: textOf(fields, 'amount'),
      merRefundNo: textOf(fields, 'merRefundNo') || undefined,
      remark: textOf(fields, 'remark'),
      notifyUrl: textOf(fields, 'notifyUrl'),
      isReplayProof,
    })
    const { refundNo, tradeNo, merOrderNo } = refund
    return { data: { refundNo, tradeNo, merNo: String(refund.merNo), merOrderNo, ...refundSums(refund) } }
  }
}
