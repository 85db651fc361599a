// The dialog that asks for confirmation before an account is disabled, enabled, or loses its second factor.
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { teamWords } from '../../words/team.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'
import type { Person } from './person.ts'

export type PersonAction = 'disable' | 'enable' | 'reset-factor'

type Props = {
  readonly chosen: ChosenMerchant
  readonly person: Person
  readonly action: PersonAction
  readonly close: () => void
  /** Called if a second person must approve the change first. */
  readonly waits: () => void
}

export function PersonDialog({ chosen, person, action, close, waits }: Props) {
  const team = useWords(teamWords)
  const { userId, name, version } = person
  const disable = useSend('POST /users/:userId/disable')
  const enable = useSend('POST /users/:userId/enable')
  const resetFactor = useSend('POST /users/:userId/reset-factor')
  const target = { params: { userId }, query: chosen }
  const done = ({ approvalId }: { readonly approvalId?: string }) => {
    if (approvalId !== undefined) waits()
  }
  if (action === 'enable')
    return (
      <ConfirmDialog
        title={team.enableTitle(name)}
        action={team.enable}
        close={close}
        run={async () => done(await enable({ ...target, body: { version } }))}
      >
        {team.enableHint}
      </ConfirmDialog>
    )
  const isReset = action === 'reset-factor'
  const change = isReset ? resetFactor : disable
  return (
    <ConfirmDialog
      title={isReset ? team.resetFactorTitle(name) : team.disableTitle(name)}
      action={isReset ? team.resetFactor : team.disable}
      danger
      needsReason
      close={close}
      run={async (reason) => done(await change({ ...target, body: { version, reason } }))}
    >
      {isReset ? team.resetFactorHint : team.disableHint}
    </ConfirmDialog>
  )
}
