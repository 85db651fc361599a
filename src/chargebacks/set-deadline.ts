import { merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import { updateAnswerBy } from './sql.ts'

/** The day that the channel has given, if it is not the usual one. */
export function setDeadline(db: Db, tradeNo: string, answerBy: Date): Promise<void> {
  const merNo = merNoOf(tradeNo) ?? -1
  return db.transaction(async (tx) => {
    if (!(await updateAnswerBy(tx, { merNo, tradeNo }, answerBy)))
      throw new OperatorRefusal(`order ${tradeNo} has no open chargeback`)
  })
}
