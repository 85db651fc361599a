// An approval is one person's request for an action that a second person must approve first. The functions are pure.
import type { Actor } from '../../platform/audit-log/entry.ts'
import type { Money } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { type ApprovalKind, type Approver, checkApprover, type Decider } from './may-approve.ts'

export type ApprovalState = 'waiting' | 'approved' | 'rejected' | 'expired'

export type Approval = {
  readonly merNo: number
  readonly approvalId: string
  readonly decider: Decider
  readonly kind: ApprovalKind
  /** The subject of the action, such as a trade number. A subject has at most one waiting approval of each kind. */
  readonly subject: string
  /** Further values that are needed to carry out and to show the action. These values are never secret. */
  readonly action: Action
  readonly money: Money | undefined
  readonly askedBy: Actor
  readonly askedAt: Date
  readonly reason: string
  readonly expiresAt: Date
  readonly state: ApprovalState
  readonly decidedBy: Actor | undefined
  readonly decidedAt: Date | undefined
  /** The reason of the approval or rejection. */
  readonly decision: string | undefined
}

export type Action = Readonly<Record<string, string>>

const DAY_MS = 86_400_000

export const APPROVAL_MS = 7 * DAY_MS

export function isExpired({ expiresAt }: Pick<Approval, 'expiresAt'>, now: Date): boolean {
  return expiresAt <= now
}

/** Approvals that were requested at the returned time or earlier have expired at `now`. */
export function expiredUntil(now: Date): Date {
  return new Date(now.getTime() - APPROVAL_MS)
}

/** Throws if this person may not make this decision now. An expired approval can still be rejected. */
export function checkDecision(
  approval: Approval,
  { by, approves, at }: { readonly by: Approver; readonly approves: boolean; readonly at: Date },
): void {
  const { approvalId, state, decidedBy } = approval
  checkApprover({ ...approval, id: approvalId }, by, approves)
  const decider = decidedBy === undefined ? '' : `, by ${decidedBy.name}`
  if (state !== 'waiting') throw new OperatorRefusal(`${approvalId} is ${state} already${decider}`)
  if (approves && isExpired(approval, at))
    throw new OperatorRefusal(`${approvalId} has expired: ask for it again if it is still needed`)
}
