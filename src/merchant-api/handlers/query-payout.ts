import { formatAmount } from '../../base/money.ts'
import { Refusal } from '../../errors/catalogue.ts'
import { salesState } from '../../order-queries/sales-answer.ts'
import { findPayout, receivedOf } from '../../payouts/find-payout.ts'
import type { Db } from '../../postgres/db.ts'
import type { CheckedRequest } from '../checks/check-request.ts'

/** `queryType` `sales` finds payouts too. They have no refunds or chargebacks. */
export async function queryPayout(db: Db, { merchant, fields }: CheckedRequest) {
  const payout =
    fields.queryType === 'sales'
      ? await findPayout(db, {
          merNo: merchant.merNo,
          merOrderNo: String(fields.merOrderNo),
          ...(fields.tradeNo !== undefined && { tradeNo: String(fields.tradeNo) }),
        })
      : undefined
  if (payout === undefined) throw new Refusal('10026')
  const { currency } = payout.money
  return {
    state: salesState(payout.orderState),
    tradeNo: payout.tradeNo,
    merNo: String(payout.merNo),
    merOrderNo: payout.merOrderNo,
    message: payout.message,
    settle: 0,
    tradeFee: formatAmount(payout.fee, currency),
    receiveAmount: formatAmount(receivedOf(payout), currency),
  }
}
