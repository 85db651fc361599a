import type { Queryable } from '../../platform/postgres/db.ts'
import type { Approval } from './approval.ts'
import {
  type ApprovalFilter,
  countWaiting,
  selectApprovals,
  selectWaiting,
  type WaitingCount,
} from './sql.ts'

/** Lists the waiting approvals, or the approvals that no longer wait, newest first. */
export function listApprovals(db: Queryable, filter: ApprovalFilter): Promise<Approval[]> {
  return selectApprovals(db, filter)
}

/** Returns the number of waiting approvals, of one merchant or of all, and the time when the oldest was asked for. */
export function countApprovals(
  db: Queryable,
  filter: Pick<ApprovalFilter, 'decider' | 'merNo' | 'now'>,
): Promise<WaitingCount> {
  return countWaiting(db, filter)
}

/** Returns the waiting approval of this subject, or undefined if there is none. */
export function findWaitingApproval(
  db: Queryable,
  about: Pick<Approval, 'merNo' | 'kind' | 'subject'>,
): Promise<Approval | undefined> {
  return selectWaiting(db, about)
}
