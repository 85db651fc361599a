import { Refusal } from '../../errors/catalogue.ts'
import type { Queryable } from '../../postgres/db.ts'
import { findRefund } from '../../refunds/find-refund.ts'
import { type Refund, refundSums, stateCodes } from '../../refunds/refund.ts'
import type { CheckedRequest } from '../checks/check-request.ts'
import { textOf } from '../fields/field-values.ts'

/** `/order/query` for `refund`, by `refundNo` or `merRefundNo`. `merOrderNo`, and `tradeNo` if given, must match. */
export async function queryRefund(db: Queryable, request: CheckedRequest): Promise<Record<string, unknown>> {
  const { merchant, fields } = request
  const refundNo = textOf(fields, 'refundNo')
  const merRefundNo = textOf(fields, 'merRefundNo')
  if (refundNo === '' && merRefundNo === '') throw new Refusal('10002', 'refundNo or merRefundNo')
  const refund = await findRefund(db, {
    merNo: merchant.merNo,
    ...(refundNo !== '' && { refundNo }),
    ...(merRefundNo !== '' && { merRefundNo }),
  })
  const tradeNo = textOf(fields, 'tradeNo')
  const matches =
    refund?.merOrderNo === textOf(fields, 'merOrderNo') && ['', refund.tradeNo].includes(tradeNo)
  if (refund === undefined || !matches) throw new Refusal('10026')
  return answerOf(refund)
}

function answerOf(refund: Refund): Record<string, unknown> {
  const { refundNo, merRefundNo, tradeNo, merOrderNo, message } = refund
  return {
    state: stateCodes[refund.state],
    refundNo,
    ...(merRefundNo !== undefined && { merRefundNo }),
    ...refundSums(refund),
    tradeNo,
    merNo: String(refund.merNo),
    merOrderNo,
    message,
  }
}
