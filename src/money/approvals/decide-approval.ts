// Records the second person's decision on an approval. The action is carried out in the transaction that approves it.
// Therefore it is carried out once: if two people approve at the same time, the later one waits for the lock and then
// finds the approval decided.
//
// Lock order: the approval, then the rows that its action locks. No other code locks an approval after these rows.
// See docs/decisions/0221-approvals-are-data.md.
import type { Actor } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { type Approval, checkDecision } from './approval.ts'
import { type ApprovalKind, type Approver, noApproval } from './may-approve.ts'
import { lockApproval, selectWaiting, updateDecided } from './sql.ts'

/**
 * `approved` repeats the checks of the request, because the facts may have changed. If a check refuses, the approval
 * keeps waiting and can be rejected.
 */
export type Carrying = {
  approved(tx: Tx, approval: Approval, by: Decided): Promise<void>
  rejected?(tx: Tx, approval: Approval, by: Decided): Promise<void>
}

type Decided = { readonly actor: Actor; readonly at: Date }

type ApprovalDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly carrying: Readonly<Partial<Record<ApprovalKind, Carrying>>>
}

type ApprovalDecision = {
  readonly approvalId: string
  readonly by: Approver
  readonly approves: boolean
  readonly reason: string
}

export function decideApproval(deps: ApprovalDeps, wanted: ApprovalDecision): Promise<Approval> {
  const { approvalId, by, approves, reason } = wanted
  const { actor } = by
  const merNo = approvalId.startsWith('Q') ? merNoOf(approvalId) : undefined
  return deps.db.transaction(async (tx) => {
    const found = merNo === undefined ? undefined : await lockApproval(tx, merNo, approvalId)
    if (found === undefined) throw noApproval(approvalId)
    const at = deps.clock.now()
    checkDecision(found, { by, approves, at })
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

// The functions below reject an approval whose subject has changed or is gone. The caller locks the approval before the
// subject, because approving takes the two locks in the same order.

export async function lockWaiting(
  tx: Tx,
  about: Pick<Approval, 'merNo' | 'kind' | 'subject'>,
): Promise<Approval | undefined> {
  const found = await selectWaiting(tx, about)
  const locked = found && (await lockApproval(tx, about.merNo, found.approvalId))
  return locked?.state === 'waiting' ? locked : undefined
}

export async function rejectWaiting(
  tx: Tx,
  waiting: Approval | undefined,
  { actor, at }: Decided,
): Promise<void> {
  if (waiting === undefined) return
  const decision = 'It was changed or removed'
  await updateDecided(tx, { ...waiting, state: 'rejected', decidedBy: actor, decidedAt: at, decision })
}
