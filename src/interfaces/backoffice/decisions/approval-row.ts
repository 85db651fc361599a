import type { Static } from 'typebox'
import { type Approval, isExpired } from '../../../money/approvals/approval.ts'
import { isAskedBy } from '../../../money/approvals/may-approve.ts'
import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { toMoney } from '../money.ts'
import { pageFrom } from '../schemas.ts'
import type { ApprovalRow } from './api.ts'

export function approvalPage(found: readonly Approval[], caller: Caller, now: Date) {
  const rows = found.map((approval) => toRow(approval, caller, now))
  return pageFrom(rows, ({ approvalId }) => approvalId)
}

function toRow(approval: Approval, caller: Caller, now: Date): Static<typeof ApprovalRow> {
  const { approvalId, merNo, kind, subject, action, money, askedBy, reason, decidedBy, decision } = approval
  const isLate = approval.state === 'waiting' && isExpired(approval, now)
  return {
    approvalId,
    merNo,
    kind,
    subject,
    action,
    ...(money && { money: toMoney(money) }),
    askedBy: askedBy.name,
    askedAt: approval.askedAt.toISOString(),
    reason,
    expiresAt: approval.expiresAt.toISOString(),
    state: isLate ? 'expired' : approval.state,
    ...(decidedBy && { decidedBy: decidedBy.name }),
    ...(approval.decidedAt && { decidedAt: approval.decidedAt.toISOString() }),
    ...(decision !== undefined && { decision }),
    isOwn: isAskedBy(approval, actorOf(caller)),
  }
}
