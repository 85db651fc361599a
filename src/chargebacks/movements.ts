// Chargebacks as the channels' statements list them: under the reference of the payment.
import { merNoOf } from '../base/id.ts'
import { type Movement, type MovementPeriod, toMovement } from '../channels/movement.ts'
import { attemptOf, attemptReference } from '../orders/order.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { type AttemptKey, type ChargebackMovementRow, readOpened, selectMovements } from './movement-sql.ts'

/** The references whose payment was charged back. */
export async function findChargebackMovements(
  db: Queryable,
  references: readonly string[],
): Promise<Movement[]> {
  const keys = references.flatMap(keyOf)
  return keys.length === 0 ? [] : (await selectMovements(db, keys)).map(toChargebackMovement)
}

export async function* openedChargebacks(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readOpened(tx, period)) yield rows.map(toChargebackMovement)
}

function keyOf(reference: string): AttemptKey[] {
  const attempt = attemptOf(reference)
  const merNo = attempt && merNoOf(attempt.tradeNo)
  return attempt === undefined || merNo === undefined ? [] : [{ merNo, ...attempt }]
}

function toChargebackMovement(row: ChargebackMovementRow): Movement {
  return toMovement(row, attemptReference(row.trade_no, row.attempt_no))
}
