import type { Queryable } from '../postgres/db.ts'
import { selectReviewSubscribers } from './sql.ts'

/** Which of these merchants want a notification when a payment needs more information. */
export async function wantReviewNotifications(
  db: Queryable,
  merNos: readonly number[],
): Promise<Set<number>> {
  return new Set(await selectReviewSubscribers(db, merNos))
}
