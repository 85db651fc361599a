// The chargeback part of `/order/query`.

import { type BookedChargeback, messageOf, refusedAmounts, stateCodes } from '../../chargebacks/chargeback.ts'
import { findChargeback } from '../../chargebacks/find-chargeback.ts'
import { reasonInWords } from '../../chargebacks/reasons.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { FoundPayment } from '../../order-queries/find-payment.ts'
import type { Queryable } from '../../postgres/db.ts'

/** Queries only if the order has a chargeback; most never do. */
export async function chargebackOf(
  db: Queryable,
  payment: FoundPayment,
): Promise<BookedChargeback | undefined> {
  const { merNo, tradeNo, chargeback } = payment
  return chargeback === undefined ? undefined : findChargeback(db, merNo, tradeNo)
}

export async function chargebackAnswer(
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
