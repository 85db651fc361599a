import {
  type BookedChargeback,
  messageOf,
  refusedAmounts,
  stateCodes,
} from '../../../money/chargebacks/chargeback.ts'
import { findChargeback } from '../../../money/chargebacks/find-chargeback.ts'
import { reasonInWords } from '../../../money/chargebacks/reasons.ts'
import { type FoundPayment, findPayment } from '../../../money/order-queries/find-payment.ts'
import { listDeposits } from '../../../money/order-queries/list-deposits.ts'
import { salesAnswer, salesState, transferAnswer } from '../../../money/order-queries/sales-answer.ts'
import { findPayout, receivedOf } from '../../../money/payouts/find-payout.ts'
import { findRefund } from '../../../money/refunds/find-refund.ts'
import { type Refund, stateCodes as refundStates, refundSums } from '../../../money/refunds/refund.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import type { CheckedRequest } from '../checks/check-request.ts'
import { textOf } from '../fields/field-values.ts'
import type { Handler } from '../frame.ts'

/**
 * Handles `/order/query`. `tradeNo` may be empty, because a merchant whose request timed out does not know the number.
 */
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

async function chargebackOf(db: Queryable, payment: FoundPayment): Promise<BookedChargeback | undefined> {
  const { merNo, tradeNo, chargeback } = payment
  return chargeback === undefined ? undefined : findChargeback(db, merNo, tradeNo)
}

async function chargebackAnswer(
  db: Queryable,
  payment: FoundPayment,
  chargeback: BookedChargeback | undefined,
) {
  if (chargeback === undefined) throw new Refusal('10026', 'the order has no chargeback')
  return {
    state: stateCodes[chargeback.state],
    tradeNo: payment.tradeNo,
    merNo: String(payment.merNo),
    merOrderNo: payment.merOrderNo,
    message: messageOf(chargeback, await reasonInWords(db, chargeback.reason)),
    reason: chargeback.reason,
    ...refusedAmounts(chargeback),
  }
}

async function queryPayout(db: Db, { merchant, fields }: CheckedRequest) {
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

/** Finds a refund by `refundNo` or `merRefundNo`. `merOrderNo` must match, and `tradeNo` must match if it is given. */
async function queryRefund(db: Queryable, request: CheckedRequest): Promise<Record<string, unknown>> {
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
  return refundAnswer(refund)
}

function refundAnswer(refund: Refund): Record<string, unknown> {
  const { refundNo, merRefundNo, tradeNo, merOrderNo, message } = refund
  return {
    state: refundStates[refund.state],
    refundNo,
    ...(merRefundNo !== undefined && { merRefundNo }),
    ...refundSums(refund),
    tradeNo,
    merNo: String(refund.merNo),
    merOrderNo,
    message,
  }
}
