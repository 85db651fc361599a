import { refusedAmounts } from '../../chargebacks/chargeback.ts'
import { findPayment } from '../../order-queries/find-payment.ts'
import { listDeposits } from '../../order-queries/list-deposits.ts'
import { salesAnswer, transferAnswer } from '../../order-queries/sales-answer.ts'
import type { Db } from '../../postgres/db.ts'
import type { Handler } from '../frame.ts'
import { chargebackAnswer, chargebackOf } from './query-chargeback.ts'
import { queryPayout } from './query-payout.ts'
import { queryRefund } from './query-refund.ts'

/** `/order/query`: the state of one order. `tradeNo` may be empty: a merchant whose request timed out does not know it. */
export function createOrderQueryHandler(deps: { readonly db: Db }): Handler {
  return async (request) => {
    const { merchant, fields } = request
    if (fields.queryType === 'refund') return { data: await queryRefund(deps.db, request) }
    const payment = await findPayment(deps.db, {
      merNo: merchant.merNo,
      merOrderNo: String(fields.merOrderNo),
      ...(fields.tradeNo !== undefined && { tradeNo: String(fields.tradeNo) }),
    })
    if (payment === undefined) return { data: await queryPayout(deps.db, request) }
    const chargeback = await chargebackOf(deps.db, payment)
    if (fields.queryType === 'chargeback')
      return { data: await chargebackAnswer(deps.db, payment, chargeback) }
    const onChain =
      payment.method === 'crypto'
        ? transferAnswer(await listDeposits(deps.db, payment), payment.attempt?.no)
        : {}
    return { data: { ...salesAnswer(payment), ...onChain, ...(chargeback && refusedAmounts(chargeback)) } }
  }
}
