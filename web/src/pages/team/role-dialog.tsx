// The dialog that creates, changes or removes a custom role. People can put only their own permissions into a role.
import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Permission } from '../../../../src/people/roles/permissions.ts'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { partsWords } from '../../words/parts.ts'
import { permissionsWords } from '../../words/permissions.ts'
import { teamWords } from '../../words/team.ts'
import { useWords } from '../../words/use-words.tsx'
import type { Role } from './role.ts'

type Props = {
  /** The role. Undefined for a new role. */
  readonly role?: Role
  readonly grantable: readonly string[]
  readonly close: () => void
}

export function RoleDialog({ role, grantable, close }: Props) {
  const team = useWords(teamWords)
  const texts = useWords(permissionsWords)
  const parts = useWords(partsWords)
  const client = useQueryClient()
  const [isRemoving, setIsRemoving] = useState(false)
  const create = useSend('POST /roles')
  const change = useSend('PUT /roles/:role')
  const remove = useSend('DELETE /roles/:role')
  const first = { name: role?.role ?? '', permissions: role?.permissions ?? [] }
  const form = useForm(first, async ({ name, permissions }) => {
    const chosen = [...permissions]
    if (role === undefined) await create({ body: { role: name, permissions: chosen } })
    else await change({ params: { role: role.role }, body: { permissions: chosen, version: role.version } })
    close()
  })
  const reload = () => {
    close()
    void client.invalidateQueries()
  }
  const choices = (Object.keys(texts) as readonly Permission[]).filter((id) => grantable.includes(id))
  const title = role === undefined ? team.newRole : team.editRole(role.role)
  if (isRemoving && role !== undefined)
    return (
      <ConfirmDialog
        title={team.removeRoleTitle(role.role)}
        action={team.removeRole}
        danger
        close={close}
        run={() => remove({ params: { role: role.role } })}
      />
    )
  return (
    <Modal opened onClose={close} title={title} size="lg" closeButtonProps={{ 'aria-label': parts.close }}>
      <Stack>
        <FormFrame form={form} action={team.saveRole} cancel={close} reload={reload}>
          {role === undefined && (
            <TextInput
              label={team.roleName}
              description={team.roleNameHint}
              maxLength={40}
              data-autofocus
              {...form.field('name')}
              error={form.problemAt('name') ?? form.problemAt('role')}
            />
          )}
          <Checkbox.Group
            label={team.permissions}
            value={[...form.values.permissions]}
            onChange={(chosen) => form.set('permissions', chosen)}
            error={form.problemAt('permissions')}
          >
            <div className="choices">
              {choices.map((id) => (
                <Checkbox key={id} value={id} label={texts[id]} />
              ))}
            </div>
          </Checkbox.Group>
        </FormFrame>
        {role !== undefined && (
          <Button variant="light" color="red" className="at-start" onClick={() => setIsRemoving(true)}>
            {team.removeRole}
          </Button>
        )}
      </Stack>
    </Modal>
  )
}
