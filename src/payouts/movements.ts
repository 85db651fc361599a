// Payouts as the rails' statements list them.
import { type Movement, type MovementPeriod, type MovementRow, toMovement } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { readDone, selectMovements } from './movement-sql.ts'
import { payoutKeyOf, payoutReference } from './payout.ts'

/** The references that are payouts of ours. */
export async function findPayoutMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap((reference) => payoutKeyOf(reference) ?? [])
  return keys.length === 0 ? [] : (await selectMovements(db, keys)).map(toPayoutMovement)
}

export async function* donePayouts(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readDone(tx, period)) yield rows.map(toPayoutMovement)
}

function toPayoutMovement(row: MovementRow): Movement {
  return toMovement(row, payoutReference(row.trade_no))
}
