import type { Queryable } from '../postgres/db.ts'
import type { Approval } from './approval.ts'
import {
  type ApprovalFilter,
  countWaiting,
  selectApprovals,
  selectWaiting,
  type WaitingCount,
} from './sql.ts'

/** Newest first: those that wait, or all others. */
export function listApprovals(db: Queryable, filter: ApprovalFilter): Promise<Approval[]> {
  return selectApprovals(db, filter)
}

/** How many wait for a decision, and since when; of one merchant, or of all. */
export function countApprovals(
  db: Queryable,
  filter: Pick<ApprovalFilter, 'decider' | 'merNo' | 'now'>,
): Promise<WaitingCount> {
  return countWaiting(db, filter)
}

/** The approval that this thing waits for. */
export function findWaitingApproval(
  db: Queryable,
  about: Pick<Approval, 'merNo' | 'kind' | 'subject'>,
): Promise<Approval | undefined> {
  return selectWaiting(db, about)
}
