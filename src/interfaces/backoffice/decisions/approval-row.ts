import type { Static } from 'typebox'
import { type Approval, isExpired } from '../../../money/approvals/approval.ts'
import { isAskedBy } from '../../../money/approvals/may-approve.ts'
import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { toMoney } from '../money.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { ApprovalRow } from './api.ts'

/** `found` has one row more than a page if there is a next page. */
export function approvalPage(found: readonly Approval[], caller: Caller, now: Date) {
  const rows = found.slice(0, PAGE_ROWS).map((approval) => toRow(approval, caller, now))
  const next = found.length > PAGE_ROWS ? rows.at(-1)?.approvalId : undefined
  return { rows, ...(next !== undefined && { next }) }
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
