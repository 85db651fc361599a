import { merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { Chargeback } from './chargeback.ts'
import { lockUndecided, updateDeadline } from './sql.ts'

/** The day that the channel has given, if it is not the usual one. */
export function setDeadline(db: Db, tradeNo: string, answerBy: Date): Promise<void> {
  return db.transaction(async (tx) => updateDeadline(tx, await lockDispute(tx, tradeNo), answerBy))
}

/** As it is until the transaction ends. */
export async function lookAtDeadline(tx: Tx, tradeNo: string): Promise<{ readonly answerBy: Date | null }> {
  const { answerBy = null } = await lockDispute(tx, tradeNo)
  return { answerBy }
}

async function lockDispute(tx: Tx, tradeNo: string): Promise<Chargeback> {
  const found = await lockUndecided(tx, { merNo: merNoOf(tradeNo) ?? -1, tradeNo })
  if (found === undefined) throw new OperatorRefusal(`order ${tradeNo} has no open chargeback`)
  return found
}
