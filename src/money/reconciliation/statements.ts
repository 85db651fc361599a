// Lists imported statements and their differences, and closes differences. A difference is closed by a decision on its
// money, by a person who explains it, or by a later statement.
import type { Actor } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import {
  type Closing,
  closeBySuspense,
  closeExplained,
  type ListedStatement,
  type OpenDifferences,
  type StoredDifference,
  searchStatements,
  selectDifferences,
  selectOpen,
  selectStatement,
  selectStatements,
} from './statement-sql.ts'

export function listStatements(
  db: Queryable,
  page: { channel: string | undefined; after: string | undefined; limit: number },
): Promise<ListedStatement[]> {
  return selectStatements(db, page)
}

/** Finds statements by part of the file's name, newest first. */
export function findStatementsNamed(db: Queryable, part: string, limit: number) {
  return searchStatements(db, part, limit)
}

export function findStatement(db: Queryable, statementId: string): Promise<ListedStatement | undefined> {
  return selectStatement(db, statementId)
}

/** Lists the open or the closed differences of a statement, or all differences if `isOpen` is undefined. */
export function listDifferences(
  db: Queryable,
  page: { statementId: string; isOpen: boolean | undefined; after: number; limit: number },
): Promise<StoredDifference[]> {
  return selectDifferences(db, page)
}

export function countOpenDifferences(db: Queryable): Promise<OpenDifferences> {
  return selectOpen(db)
}

/** Closes the differences about money that an operator decides on, in the transaction of that decision. */
export function closeDecided(tx: Tx, suspenseIds: readonly string[], closing: Closing): Promise<void> {
  return closeBySuspense(tx, suspenseIds, closing)
}

type Explanation = {
  readonly statementId: string
  readonly no: number
  /**
   * The explanation, such as the number of our movement that the line belongs to, or what the channel's support said.
   */
  readonly note: string
  readonly actor: Actor
}

/**
 * Closes a difference that a person explains. No money moves. To book money, an operator decides an outcome, decides on
 * suspense, or posts a correcting entry.
 */
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
