import type { Db } from '../base/db.ts'
import { Refusal } from '../base/error.ts'
import { formatAmount } from '../base/money.ts'
import { type FoundPayment, findPayment } from '../payments/find-payment.ts'
import { State, type StateNumber } from '../payments/payment.ts'
import type { Handler } from './frame.ts'

/** `/order/query`: where one order stands. The trade number may be empty: whose request timed out never learnt it. */
export function createOrderQueryHandler(deps: { readonly db: Db }): Handler {
  return async ({ merchant, fields }) => {
    const payment = await findPayment(deps.db, {
      merNo: merchant.merNo,
      merOrderNo: String(fields.merOrderNo),
      ...(fields.tradeNo !== undefined && { tradeNo: String(fields.tradeNo) }),
    })
    if (payment === undefined) throw new Refusal('10026')
    return { data: salesAnswer(payment) }
  }
}

const processing: readonly StateNumber[] = [State.processing, State.informationAsked, State.inReview]
const failed: readonly StateNumber[] = [State.failed, State.cancelled]

/** The query knows three states only: what was paid stays a success, whatever happened to its money later. */
function salesState(state: StateNumber): 1 | 2 | 3 {
  if (processing.includes(state)) return 1
  return failed.includes(state) ? 2 : 3
}

function salesAnswer(payment: FoundPayment) {
  const { currency } = payment.money
  return {
    state: salesState(payment.state),
    tradeNo: payment.tradeNo,
    merNo: String(payment.merNo),
    merOrderNo: payment.merOrderNo,
    message: payment.message,
    settle: 0,
    tradeFee: formatAmount(payment.handlingFee + payment.processingFee, currency),
    receiveAmount: formatAmount(payment.received ?? 0n, currency),
  }
}
