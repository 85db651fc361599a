// The response of `/order/query` about a payment, now or at an earlier moment.
import { formatAmount } from '../../platform/base/money.ts'
import { State, type StateNumber } from '../orders/order.ts'
import type { FoundPayment } from './find-payment.ts'
import type { FoundDeposit } from './list-deposits.ts'

const processing: readonly StateNumber[] = [State.processing, State.informationAsked, State.inReview]
const failed: readonly StateNumber[] = [State.failed, State.cancelled]

/** Maps a state to a state of `queryType` `sales`. A paid order stays a success, whatever happens to its money. */
export function salesState(state: StateNumber): 1 | 2 | 3 {
  if (processing.includes(state)) return 1
  return failed.includes(state) ? 2 : 3
}

export type Answered = Pick<
  FoundPayment,
  'merNo' | 'tradeNo' | 'merOrderNo' | 'money' | 'state' | 'message' | 'settled'
> & {
  readonly handlingFee: bigint
  readonly processingFee: bigint
  readonly received: bigint | undefined
}

/** Returns the response of `/order/query` about a payment, without the fields about a chargeback. */
export function salesAnswer(payment: Answered) {
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

/**
 * Returns the fields of the last transfer on the blockchain. A transfer of the given attempt is preferred to a later
 * transfer of another attempt.
 */
export function transferAnswer(
  deposits: readonly FoundDeposit[],
  attemptNo: number | undefined,
): Readonly<Record<string, string>> {
  const onChain = deposits.filter(({ txHash }) => txHash !== undefined)
  const last = onChain.findLast((one) => one.attemptNo === attemptNo) ?? onChain.at(-1)
  return {
    ...(last?.txHash !== undefined && { transactionHash: last.txHash }),
    ...(last?.gasFee !== undefined && { gasFee: last.gasFee }),
  }
}
