import { formatAmount } from '../../base/money.ts'
import { type FoundPayment, findPayment } from '../../order-queries/find-payment.ts'
import { listDeposits } from '../../order-queries/list-deposits.ts'
import type { Db } from '../../postgres/db.ts'
import type { Handler } from '../frame.ts'
import { chargebackAnswer, chargebackOf, refusedAmounts } from './query-chargeback.ts'
import { queryPayout } from './query-payout.ts'
import { queryRefund } from './query-refund.ts'
import { salesState } from './sales-state.ts'

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
    if (fields.queryType === 'chargeback') return { data: chargebackAnswer(payment, chargeback) }
    const onChain = payment.method === 'crypto' ? await transferOf(deps.db, payment) : {}
    return { data: { ...salesAnswer(payment), ...onChain, ...(chargeback && refusedAmounts(chargeback)) } }
  }
}

/** The last transfer on the chain, preferably of the current attempt. */
async function transferOf(db: Db, payment: FoundPayment): Promise<Readonly<Record<string, string>>> {
  const onChain = (await listDeposits(db, payment)).filter(({ txHash }) => txHash !== undefined)
  const last = onChain.findLast(({ attemptNo }) => attemptNo === payment.attempt?.no) ?? onChain.at(-1)
  return {
    ...(last?.txHash !== undefined && { transactionHash: last.txHash }),
    ...(last?.gasFee !== undefined && { gasFee: last.gasFee }),
  }
}

function salesAnswer(payment: FoundPayment) {
  const { currency } = payment.money
  return {
    state: salesState(payment.state),
    tradeNo: payment.tradeNo,
    merNo: String(payment.merNo),
    merOrderNo: payment.merOrderNo,
    message: payment.message,
    settle: payment.settled ? 1 : 0,
    tradeFee: formatAmount(payment.handlingFee + payment.processingFee, currency),
    receiveAmount: formatAmount(payment.received ?? 0n, currency),
  }
}
