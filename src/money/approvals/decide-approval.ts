// Records the second person's decision on an approval. An approved action is carried out in the transaction that
// records the decision. So it is carried out at most once: if two people approve at the same time, the later
// transaction waits for the lock and then finds the approval decided.
//
// Lock order: first the approval, then the rows that its action locks. No code locks an approval while it holds a lock
// on these rows. See docs/decisions/0221-approvals-are-data.md.
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
 * The handlers of the decisions on one kind of approval. `approved` repeats the checks of the request, because the
 * facts may have changed. If a check throws, the approval keeps waiting and can be rejected.
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

// The two functions below reject the approval of a subject that is changed or removed. Call `lockWaiting` before you
// lock the subject, because approving also locks the approval first.

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
