import type { Statement } from '../postgres/db.ts'
import { type CheckedAttempt, insertVerdicts } from './hit-sql.ts'

/** The statements that store what was said about attempts; none if nothing was. */
export function storeVerdicts(attempts: readonly CheckedAttempt[]): Statement[] {
  return attempts.length === 0 ? [] : insertVerdicts(attempts)
}
