// Finds our movements by the references on statements. Each domain finds its own movements.
import { merNoOf } from '../../platform/base/id.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { type Movement, type MovementPeriod, toMovement } from '../../rails/contract/statement.ts'
import { findChargebackMovements, openedChargebacks } from '../chargebacks/find-chargeback.ts'
import { type AttemptKey, attemptOf, attemptReference } from '../orders/order.ts'
import { donePayouts, findPayoutMovements } from '../payouts/find-payout.ts'
import { doneRefunds, findRefundMovements } from '../refunds/find-refund.ts'
import { doneReturns, findReturnMovements } from '../reviews/find-review.ts'
import { paidFromSuspense } from '../suspense/book-suspense.ts'
import { type PaymentRow, readPaid, selectPayments } from './listed-sql.ts'
import { type LineType, lineTypes } from './statement-line.ts'

export type Own = Movement & { readonly type: LineType }

/** Returns our movements with these references. Their channel may differ from the channel of the statement. */
export async function findOwn(db: Queryable, type: LineType, references: readonly string[]): Promise<Own[]> {
  const found = references.length === 0 ? [] : await finders[type](db, references)
  return found.map((movement) => ({ ...movement, type }))
}

type Find = (db: Queryable, references: readonly string[]) => Promise<Movement[]>

const finders: Readonly<Record<LineType, Find>> = {
  payment: findPaymentMovements,
  // A statement lists the return of a rejected payment as a refund.
  refund: async (db, references) => [
    ...(await findRefundMovements(db, references)),
    ...(await findReturnMovements(db, references)),
  ],
  payout: findPayoutMovements,
  chargeback: findChargebackMovements,
}

async function findPaymentMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap(keyOf)
  return keys.length === 0 ? [] : (await selectPayments(db, keys)).map(toPaymentMovement)
}

function keyOf(reference: string): AttemptKey[] {
  const attempt = attemptOf(reference)
  const merNo = attempt && merNoOf(attempt.tradeNo)
  return attempt === undefined || merNo === undefined ? [] : [{ merNo, ...attempt }]
}

function toPaymentMovement(row: PaymentRow): Movement {
  return toMovement(row, attemptReference(row.trade_no, row.attempt_no))
}

/** Yields all movements that were completed at the channel in the period, in pieces. */
export async function* readDone(tx: Tx, period: MovementPeriod): AsyncGenerator<Own[]> {
  for (const type of lineTypes)
    for (const read of readers[type])
      for await (const piece of read(tx, period)) yield piece.map((movement) => ({ ...movement, type }))
}

type Read = (tx: Tx, period: MovementPeriod) => AsyncGenerator<Movement[]>

const readers: Readonly<Record<LineType, readonly Read[]>> = {
  payment: [paidMovements],
  refund: [doneRefunds, doneReturns],
  payout: [donePayouts],
  chargeback: [openedChargebacks],
}

/**
 * Yields paid payments. A payment with late money that was accepted from suspense is left out, because its money is on
 * the statement of the day on which the money arrived.
 */
async function* paidMovements(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readPaid(tx, period)) {
    const paid = rows.map(toPaymentMovement)
    const late = await paidFromSuspense(tx, paid)
    yield paid.filter(({ tradeNo }) => !late.has(tradeNo))
  }
}
