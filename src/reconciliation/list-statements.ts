import type { Queryable } from '../postgres/db.ts'
import { searchStatements } from './search-sql.ts'
import {
  type ListedStatement,
  type OpenDifferences,
  type StoredDifference,
  selectDifferences,
  selectOpen,
  selectStatement,
  selectStatements,
} from './statement-sql.ts'

/** Newest first, after this one. */
export function listStatements(
  db: Queryable,
  page: { channel: string | undefined; after: string | undefined; limit: number },
): Promise<ListedStatement[]> {
  return selectStatements(db, page)
}

/** Newest first, by part of the file's name. */
export function findStatementsNamed(db: Queryable, part: string, limit: number) {
  return searchStatements(db, part, limit)
}

export function findStatement(db: Queryable, statementId: string): Promise<ListedStatement | undefined> {
  return selectStatement(db, statementId)
}

/** `isOpen` undefined: all of them. */
export function listDifferences(
  db: Queryable,
  page: { statementId: string; isOpen: boolean | undefined; after: number; limit: number },
): Promise<StoredDifference[]> {
  return selectDifferences(db, page)
}

/** How many nobody has dealt with, and since when. */
export function countOpenDifferences(db: Queryable): Promise<OpenDifferences> {
  return selectOpen(db)
}
