import { Button, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { Permission } from '../../../../src/people/roles/permissions.ts'
import { useCall } from '../../api/use-call.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { permissionsWords } from '../../words/permissions.ts'
import { teamWords } from '../../words/team.ts'
import { useWords } from '../../words/use-words.tsx'
import { type Role, roleName } from './role.ts'
import { RoleDialog } from './role-dialog.tsx'

export function RolesPage() {
  const team = useWords(teamWords)
  const may = useMay()
  const roles = useCall('GET /roles', {})
  const [edited, setEdited] = useState<Role | 'new'>()
  return (
    <PageFrame
      title={team.roles}
      hint={team.rolesHint}
      actions={
        may('users.edit') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
            {team.newRole}
          </Button>
        )
      }
    >
      <Loaded query={roles} lines={12}>
        {({ rows, grantable }) => (
          <>
            <Matrix roles={rows} edit={may('users.edit') ? setEdited : undefined} />
            {edited !== undefined && (
              <RoleDialog
                {...(edited !== 'new' && { role: edited })}
                grantable={grantable}
                close={() => setEdited(undefined)}
              />
            )}
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

type MatrixProps = {
  readonly roles: readonly Role[]
  readonly edit: ((role: Role) => void) | undefined
}

function Matrix({ roles, edit }: MatrixProps) {
  const team = useWords(teamWords)
  const permissions = useWords(permissionsWords)
  const ids = Object.keys(permissions) as readonly Permission[]
  const used = ids.filter((id) => roles.some((role) => role.permissions.includes(id)))
  return (
    <PlainTable label={team.roles}>
      <thead>
        <tr>
          <th scope="col">{team.permission}</th>
          {roles.map((role) => (
            <th key={role.role} scope="col">
              <RoleHead role={role} edit={edit} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {used.map((id) => (
          <tr key={id}>
            <th scope="row">{permissions[id]}</th>
            {roles.map((role) => (
              <td key={role.role} className="may">
                {role.permissions.includes(id) ? (
                  <>
                    <Icon name="check" />
                    <span className="hidden">{team.may}</span>
                  </>
                ) : (
                  <span className="hidden">{team.mayNot}</span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

function RoleHead({ role, edit }: { readonly role: Role; readonly edit: MatrixProps['edit'] }) {
  const team = useWords(teamWords)
  const name = roleName(role.role, team)
  return (
    <>
      {role.isBuiltIn || edit === undefined ? (
        name
      ) : (
        <UnstyledButton className="text-button" onClick={() => edit(role)}>
          {name}
        </UnstyledButton>
      )}
      <Text size="xs" c="dimmed">
        {team.people(role.users)}
      </Text>
    </>
  )
}
