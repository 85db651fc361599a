// What an approval was asked for has changed or is gone, so nobody can approve it any more. The approval is locked before
// that, because approving locks in the same order.
import type { Tx } from '../postgres/db.ts'
import type { Approval } from './approval.ts'
import type { Approver } from './decide-approval.ts'
import { lockApproval, selectWaiting, updateDecided } from './sql.ts'

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
  { actor, at }: Approver,
): Promise<void> {
  if (waiting === undefined) return
  const decision = 'It was changed or removed'
  await updateDecided(tx, { ...waiting, state: 'rejected', decidedBy: actor, decidedAt: at, decision })
}
