// Shows an inquiry of the payer's bank to the merchant. No money moves and the order keeps its state; evidence that is sent now
// counts for a chargeback that follows.
import { makeId } from '../base/id.ts'
import { formatAmount, type Money } from '../base/money.ts'
import { enqueueAlert } from '../mail/enqueue-alert.ts'
import { mailMoment } from '../mail/mail.ts'
import type { PaidOrder } from '../orders/order.ts'
import type { Tx } from '../postgres/db.ts'
import type { Chargeback } from './chargeback.ts'
import { usualAnswerBy } from './open-chargeback.ts'
import { insertChargeback } from './sql.ts'

export type NewInquiry = {
  readonly disputeRef: string
  readonly money: Money
  readonly reason: string
  readonly respondBy?: Date
  readonly openedAt: Date
}

/** The order is locked by this transaction. */
export async function openInquiry(tx: Tx, order: PaidOrder, wanted: NewInquiry): Promise<Chargeback> {
  const { merNo, tradeNo, merOrderNo } = order
  const { disputeRef, money, reason, openedAt, respondBy = usualAnswerBy(openedAt) } = wanted
  const inquiry: Chargeback = {
    merNo,
    chargebackId: makeId('C', merNo, openedAt),
    tradeNo,
    state: 'inquiry',
    reason,
    money,
    fee: 0n,
    disputeRef,
    openedAt,
    resolvedAt: undefined,
    answerBy: respondBy,
  }
  await insertChargeback(tx, inquiry)
  const amount = `${formatAmount(money.amount, money.currency)} ${money.currency}`
  const values = { orderNo: merOrderNo, amount, due: mailMoment(respondBy) }
  await enqueueAlert(tx, { merNo, kind: 'dispute-due', values, now: openedAt })
  return inquiry
}
