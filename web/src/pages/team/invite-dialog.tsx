// Invites a colleague by mail. At a merchant, operators can invite only the first owner. All other roles are given by
// the merchant itself. The invitation of an owner may have to wait for approval.
import { Modal, NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { DoneNote } from '../../parts/done-note.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { partsWords } from '../../words/parts.ts'
import { teamWords } from '../../words/team.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'
import { useGrantableRoles } from './use-roles.ts'

type Props = { readonly chosen: ChosenMerchant; readonly close: () => void }

export function InviteDialog({ chosen, close }: Props) {
  const team = useWords(teamWords)
  const parts = useWords(partsWords)
  const roles = useGrantableRoles()
  const send = useSend('POST /users')
  const [waits, setWaits] = useState(false)
  const isFirstOwner = chosen.merNo !== undefined
  const title = isFirstOwner ? team.inviteOwner : team.invite
  const role = isFirstOwner ? 'owner' : 'viewer'
  const form = useForm({ email: '', name: '', role }, async (body) => {
    const { approvalId } = await send({ query: chosen, body })
    if (approvalId === undefined) close()
    else setWaits(true)
  })
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      {waits ? (
        <DoneNote>{team.waits}</DoneNote>
      ) : (
        <FormFrame form={form} action={team.sendInvitation} cancel={close}>
          <Text c="dimmed" size="sm">
            {isFirstOwner ? team.inviteOwnerHint : team.inviteHint}
          </Text>
          <TextInput type="email" label={team.email} data-autofocus {...form.field('email')} />
          <TextInput label={team.person} {...form.field('name')} />
          {!isFirstOwner && <NativeSelect label={team.role} data={[...roles]} {...form.field('role')} />}
        </FormFrame>
      )}
    </Modal>
  )
}
