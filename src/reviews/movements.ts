// Returns of rejected payments as the channels' statements list them.
import { merNoOf } from '../base/id.ts'
import { type Movement, type MovementPeriod, toMovement } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { type ReturnKey, type ReturnRow, readReturned, selectReturns } from './movement-sql.ts'
import { returnOf, returnReference } from './review.ts'

/** The references that are returns of ours. */
export async function findReturnMovements(db: Queryable, references: readonly string[]): Promise<Movement[]> {
  const keys = references.flatMap(keyOf)
  return keys.length === 0 ? [] : (await selectReturns(db, keys)).map(toReturnMovement)
}

export async function* doneReturns(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readReturned(tx, period)) yield rows.map(toReturnMovement)
}

function keyOf(reference: string): ReturnKey[] {
  const key = returnOf(reference)
  const merNo = key && merNoOf(key.tradeNo)
  return key === undefined || merNo === undefined ? [] : [{ merNo, ...key }]
}

function toReturnMovement(row: ReturnRow): Movement {
  return toMovement(row, returnReference(row.trade_no, row.returns))
}
