// Carries out a step that makes an owner, after a second person has approved the step. First repeats the checks whose
// result may have changed since the request.
import type { Approval } from '../../money/approvals/approval.ts'
import type { Carrying } from '../../money/approvals/decide-approval.ts'
import { merchantNames } from '../../money/merchants/list-merchants.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { PeopleDeps } from '../roles/caller.ts'
import { requireNoOwner } from '../roles/granting.ts'
import { selectUsersByEmail } from '../users/store-users.ts'
import { type Change, changeRole, enableUser, lockPerson, resetFactor } from './change-user.ts'
import { createInvited, invitedOf, sendInvitation } from './invite.ts'
import { mailOwnerMade, type OwnerStep } from './owners.ts'

const steps: readonly OwnerStep[] = ['invite', 'change-role', 'enable', 'reset-factor']

export function ownerCarrying(deps: PeopleDeps): Carrying {
  return {
    async approved(tx, approval, { actor, at: now }) {
      const { merNo, subject: email, action, askedBy, reason } = approval
      const step = steps.find((one) => one === action.step)
      if (step === undefined) throw changedMeanwhile()
      const isGiven = step === 'invite' || step === 'change-role'
      if (isGiven && action.askedAs === 'operator') await requireNoOwner(tx, merNo)
      await carryOut(tx, deps, approval, step, { actor, now, reason })
      await mailOwnerMade(tx, deps.vault, { merNo, email, step, by: [askedBy.name, actor.name], now })
    },
  }
}

async function carryOut(
  tx: Tx,
  deps: PeopleDeps,
  { merNo, subject: email, action }: Approval,
  step: OwnerStep,
  change: Change,
): Promise<void> {
  const company = (await merchantNames(tx, [merNo])).get(merNo) ?? String(merNo)
  if (step === 'invite') {
    const known = await selectUsersByEmail(tx, email)
    if (known.some(({ mer_no }) => Number(mer_no) === merNo)) throw changedMeanwhile()
    const { name = email, userId = '', language = null } = action
    await createInvited(tx, deps, { merNo, userId, email, name, role: 'owner', language }, company, change)
    return
  }
  const user = await lockPerson(tx, merNo, action.userId ?? '')
  if (user === undefined || String(user.version) !== action.version) throw changedMeanwhile()
  if (step === 'change-role') return changeRole(tx, user, 'owner', change)
  if (step === 'reset-factor') return resetFactor(tx, deps.vault, user, change)
  await enableUser(tx, user, change)
  await sendInvitation(tx, deps, invitedOf(user), company)
}

function changedMeanwhile(): Problem {
  return new Problem('conflict', 'This person was changed meanwhile. Reject this, then ask for it again.')
}
