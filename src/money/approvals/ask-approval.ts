import type { Actor } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { makeId } from '../../platform/base/id.ts'
import { formatMoney } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { APPROVAL_MS, type Approval } from './approval.ts'
import { approvalRules, type Decider } from './may-approve.ts'
import { expireApproval, insertApproval, selectWaiting } from './sql.ts'

export type NewApproval = Pick<Approval, 'merNo' | 'kind' | 'subject' | 'action' | 'money' | 'reason'> & {
  readonly actor: Actor
  readonly at: Date
  /** The side that decides. Set only for a kind that either side may decide. */
  readonly decider?: Decider
}

/** Asks for an approval in the caller's transaction. Throws if the subject has a waiting approval of this kind. */
export async function askApproval(tx: Tx, wanted: NewApproval): Promise<Approval> {
  const { actor, at, ...rest } = wanted
  await expireApproval(tx, wanted, at)
  const approval: Approval = {
    ...rest,
    decider: deciderOf(wanted),
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
  const sum = money && { amount: formatMoney(money) }
  const after = { kind, about: subject, ...action, ...sum }
  await writeAudit(tx, { merNo, at, actor, action: 'approval.ask', subject: approvalId, after, reason })
  return approval
}

function deciderOf({ kind, decider: given }: Pick<NewApproval, 'kind' | 'decider'>): Decider {
  const { decider } = approvalRules[kind]
  return decider === 'either' ? (given ?? 'platform') : decider
}
