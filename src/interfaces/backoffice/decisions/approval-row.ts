import type { Static } from 'typebox'
import { type Approval, isExpired } from '../../../money/approvals/approval.ts'
import { isAskedBy } from '../../../money/approvals/may-approve.ts'
import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { toMoney } from '../money.ts'
import { briefsOf, orderIn } from '../orders/brief-order.ts'
import type { Payees } from '../payouts/payees.ts'
import { pageFrom } from '../schemas.ts'
import type { ApprovalRow } from './api.ts'

type Page = { readonly db: Queryable; readonly caller: Caller; readonly now: Date; readonly payees?: Payees }

export async function approvalPage(found: readonly Approval[], { db, caller, now, payees }: Page) {
  const page = pageFrom(found, ({ approvalId }) => approvalId)
  const keys = page.rows.map(({ merNo, action: { tradeNo } }) => ({ merNo, tradeNo }))
  const briefs = await briefsOf(db, caller, keys)
  const rows = page.rows.map((approval) => {
    const payeesOfRow = payees?.get(approval.subject)
    return {
      ...toRow(approval, caller, now),
      ...orderIn(briefs, approval.action.tradeNo),
      ...(payeesOfRow && { payees: [...payeesOfRow] }),
    }
  })
  return { ...page, rows }
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
