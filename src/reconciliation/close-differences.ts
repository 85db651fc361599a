// A difference is closed by a decision on its money, by a person who explains it, or by a later statement.
import type { Actor } from '../audit-log/entry.ts'
import { writeAudit } from '../audit-log/write-entry.ts'
import type { Clock } from '../base/clock.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { type Closing, closeBySuspense, closeExplained } from './statement-sql.ts'

/** In the transaction that decides on the money. */
export function closeDecided(tx: Tx, suspenseIds: readonly string[], closing: Closing): Promise<void> {
  return closeBySuspense(tx, suspenseIds, closing)
}

export type Explanation = {
  readonly statementId: string
  readonly no: number
  /** What it is: the number of ours that the line belongs to, or what the channel's support said. */
  readonly note: string
  readonly actor: Actor
}

/** No money moves: what has to be booked is decided as an outcome, in suspense, or by a correcting entry. */
export async function explainDifference(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { statementId, no, note, actor }: Explanation,
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    if (!(await closeExplained(tx, { statementId, no }, { by: actor.name, at, note })))
      throw new OperatorRefusal(`statement ${statementId} has no open difference ${no}`)
    const subject = `${statementId}/${no}`
    await writeAudit(tx, { merNo: 0, at, actor, action: 'reconcile.explain', subject, reason: note })
  })
}
