// Returns of rejected payments as the channels' statements list them.
import { type Movement, type MovementPeriod, toMovement } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { type ReturnRow, readReturned, selectReturns } from './movement-sql.ts'
import { returnKeyOf, returnReference } from './review.ts'

/** The references that are returns of ours. */
export async function findReturnMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap((reference) => returnKeyOf(reference) ?? [])
  return keys.length === 0 ? [] : (await selectReturns(db, keys)).map(toReturnMovement)
}

export async function* doneReturns(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readReturned(tx, period)) yield rows.map(toReturnMovement)
}

function toReturnMovement(row: ReturnRow): Movement {
  return toMovement(row, returnReference(row.trade_no, row.returns))
}
