// A person asks for something that a second person has to approve.
import type { Actor } from '../audit-log/entry.ts'
import { writeAudit } from '../audit-log/write-entry.ts'
import { makeId } from '../base/id.ts'
import { formatAmount } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { APPROVAL_MS, type Approval } from './approval.ts'
import { expireApproval, insertApproval, selectWaiting } from './sql.ts'

export type NewApproval = Pick<
  Approval,
  'merNo' | 'decider' | 'kind' | 'subject' | 'action' | 'money' | 'reason'
> & { readonly actor: Actor; readonly at: Date }

/** In the transaction of what waits for it. Refuses if the same thing waits already. */
export async function askApproval(tx: Tx, wanted: NewApproval): Promise<Approval> {
  const { actor, at, ...rest } = wanted
  await expireApproval(tx, wanted, at)
  const approval: Approval = {
    ...rest,
    approvalId: makeId('Q', wanted.merNo, at),
    askedBy: actor,
    askedAt: at,
    expiresAt: new Date(at.getTime() + APPROVAL_MS),
    state: 'waiting',
    decidedBy: undefined,
    decidedAt: undefined,
    decision: undefined,
  }
  if (!(await insertApproval(tx, approval))) {
    const waiting = await selectWaiting(tx, wanted)
    throw new OperatorRefusal(`${wanted.subject} waits for approval already, as ${waiting?.approvalId}`)
  }
  const { merNo, approvalId, kind, subject, action, money, reason } = approval
  const sum = money && { amount: `${formatAmount(money.amount, money.currency)} ${money.currency}` }
  const after = { kind, about: subject, ...action, ...sum }
  await writeAudit(tx, { merNo, at, actor, action: 'approval.ask', subject: approvalId, after, reason })
  return approval
}
