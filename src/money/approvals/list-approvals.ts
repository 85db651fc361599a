import type { Queryable } from '../../platform/postgres/db.ts'
import type { Approval } from './approval.ts'
import {
  type ApprovalFilter,
  countWaiting,
  selectApprovals,
  selectWaiting,
  type WaitingCount,
} from './sql.ts'

/** Lists either the waiting approvals or the approvals that no longer wait, newest first. */
export function listApprovals(db: Queryable, filter: ApprovalFilter): Promise<Approval[]> {
  return selectApprovals(db, filter)
}

/** Counts the waiting approvals of one merchant or of all merchants. */
export function countApprovals(
  db: Queryable,
  filter: Pick<ApprovalFilter, 'decider' | 'merNo' | 'now'>,
): Promise<WaitingCount> {
  return countWaiting(db, filter)
}

/** Returns the subject's approval in state `waiting`, if there is one, even if the approval has expired. */
export function findWaitingApproval(
  db: Queryable,
  about: Pick<Approval, 'merNo' | 'kind' | 'subject'>,
): Promise<Approval | undefined> {
  return selectWaiting(db, about)
}
