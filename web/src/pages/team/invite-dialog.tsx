// Invites a colleague by mail.
import { Modal, NativeSelect, Text, TextInput } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'
import { useGrantableRoles } from './use-roles.ts'

export function InviteDialog({ close }: { readonly close: () => void }) {
  const { team, parts } = useWords()
  const roles = useGrantableRoles()
  const send = useSend('POST /users')
  const form = useForm({ email: '', name: '', role: 'viewer' }, async (body) => {
    await send({ body })
    close()
  })
  return (
    <Modal opened onClose={close} title={team.invite} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={team.sendInvitation} cancel={close}>
        <Text c="dimmed" size="sm">
          {team.inviteHint}
        </Text>
        <TextInput type="email" label={team.email} data-autofocus {...form.field('email')} />
        <TextInput label={team.person} {...form.field('name')} />
        <NativeSelect label={team.role} data={[...roles]} {...form.field('role')} />
      </FormFrame>
    </Modal>
  )
}
