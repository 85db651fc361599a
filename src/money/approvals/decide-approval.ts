// The second person decides. The action is carried out in the transaction that approves it, so it happens exactly once: two
// people who approve at the same time wait for each other's lock, and the second one finds it decided.
// Lock order: the approval, then what its action locks. Nothing else locks an approval after another row.
import type { Actor } from '../audit-log/entry.ts'
import { writeAudit } from '../audit-log/write-entry.ts'
import type { Clock } from '../base/clock.ts'
import { merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { type Approval, type ApprovalKind, checkDecision } from './approval.ts'
import { lockApproval, updateDecided } from './sql.ts'

/** What a kind of approval does. A refusal leaves the approval waiting. */
export type Carrying = {
  approved(tx: Tx, approval: Approval, by: Approver): Promise<void>
  rejected?(tx: Tx, approval: Approval, by: Approver): Promise<void>
}

export type Approver = { readonly actor: Actor; readonly at: Date }

export type ApprovalDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly carrying: Readonly<Partial<Record<ApprovalKind, Carrying>>>
}

export type ApprovalDecision = {
  readonly approvalId: string
  readonly actor: Actor
  readonly approves: boolean
  readonly reason: string
  /** Throws if this person may not see or decide such approvals. */
  readonly check: (approval: Approval) => void
}

export function decideApproval(deps: ApprovalDeps, wanted: ApprovalDecision): Promise<Approval> {
  const { approvalId, actor, approves, reason } = wanted
  const merNo = approvalId.startsWith('Q') ? merNoOf(approvalId) : undefined
  return deps.db.transaction(async (tx) => {
    const found = merNo === undefined ? undefined : await lockApproval(tx, merNo, approvalId)
    if (found === undefined) throw noApproval(approvalId)
    wanted.check(found)
    const at = deps.clock.now()
    checkDecision(found, { actor, approves, at })
    const carrying = deps.carrying[found.kind]
    if (carrying === undefined) throw new OperatorRefusal(`${approvalId} is decided in the back office`)
    const decided = {
      ...found,
      state: approves ? 'approved' : 'rejected',
      decidedBy: actor,
      decidedAt: at,
      decision: reason,
    } as const
    await updateDecided(tx, decided)
    const action = approves ? 'approval.approve' : 'approval.reject'
    const after = { kind: found.kind, about: found.subject, askedBy: found.askedBy.name }
    await writeAudit(tx, { merNo: found.merNo, at, actor, action, subject: approvalId, after, reason })
    await (approves ? carrying.approved : carrying.rejected)?.(tx, decided, { actor, at })
    return decided
  })
}

export function noApproval(approvalId: string): OperatorRefusal {
  return new OperatorRefusal(`there is no approval ${approvalId}`)
}
