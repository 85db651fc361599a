// Refunds as the channels' statements list them.
import { merNoOf } from '../base/id.ts'
import { type Movement, type MovementPeriod, toMovement } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { type RefundMovementRow, readDone, selectMovements } from './movement-sql.ts'
import { refundNoOf, refundReference } from './refund.ts'
import type { RefundKey } from './sql.ts'

/** The references that are refunds of ours. */
export async function findRefundMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap(keyOf)
  return keys.length === 0 ? [] : (await selectMovements(db, keys)).map(toRefundMovement)
}

export async function* doneRefunds(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readDone(tx, period)) yield rows.map(toRefundMovement)
}

function keyOf(reference: string): RefundKey[] {
  const refundNo = refundNoOf(reference)
  const merNo = merNoOf(refundNo ?? '')
  return refundNo === undefined || merNo === undefined ? [] : [{ merNo, refundNo }]
}

function toRefundMovement(row: RefundMovementRow): Movement {
  return toMovement(row, refundReference(row.refund_no))
}
