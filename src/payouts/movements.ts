// Payouts as the rails' statements list them.
import { merNoOf } from '../base/id.ts'
import { type Movement, type MovementPeriod, type MovementRow, toMovement } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { readDone, selectMovements } from './movement-sql.ts'
import { payoutReference } from './payout.ts'
import type { PayoutKey } from './sql.ts'

/** The references that are payouts of ours. */
export async function findPayoutMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap(keyOf)
  return keys.length === 0 ? [] : (await selectMovements(db, keys)).map(toPayoutMovement)
}

export async function* donePayouts(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readDone(tx, period)) yield rows.map(toPayoutMovement)
}

/** A reference is the trade number with another first letter. */
function keyOf(reference: string): PayoutKey[] {
  const tradeNo = `T${reference.slice(1)}`
  const merNo = merNoOf(tradeNo)
  return merNo === undefined || payoutReference(tradeNo) !== reference ? [] : [{ merNo, tradeNo }]
}

function toPayoutMovement(row: MovementRow): Movement {
  return toMovement(row, payoutReference(row.trade_no))
}
