// The people of the company, or the operators.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'wouter'
import { useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import type { Words } from '../../words/en.ts'
import { useWords } from '../../words/use-words.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { type Person, personTones } from './person.ts'
import { PersonPanel } from './person-panel.tsx'
import { roleName } from './role.ts'
import { SignInRules } from './sign-in-rules.tsx'

const PATH = '/settings/team'

export function TeamPage() {
  const { team } = useWords()
  const may = useMay()
  const { userId } = useParams<{ userId?: string }>()
  const list = useList('GET /users', {})
  const [isInviting, setIsInviting] = useState(false)
  const chosen = list.rows?.find((person) => person.userId === userId)
  return (
    <PageFrame
      title={team.title}
      hint={team.hint}
      actions={
        may('users.edit') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsInviting(true)}>
            {team.invite}
          </Button>
        )
      }
    >
      <DataTable
        label={team.title}
        list={list}
        columns={columnsOf(team)}
        rowKey={(person) => person.userId}
        open={(person) => `${PATH}/${person.userId}`}
        openKey={userId}
        empty={<EmptyState title={team.empty} hint={team.emptyHint} />}
      />
      {/* Below the list, and not before it: the list would push it away. */}
      {list.rows !== undefined && <SignInRules />}
      {isInviting && <InviteDialog close={() => setIsInviting(false)} />}
      {chosen !== undefined && <PersonPanel key={chosen.userId} person={chosen} back={PATH} />}
    </PageFrame>
  )
}

function columnsOf(team: Words['team']): readonly Column<Person>[] {
  return [
    { id: 'name', head: team.person, cell: ({ name }) => name },
    { id: 'email', head: team.email, cell: ({ email }) => email, wideOnly: true },
    { id: 'role', head: team.role, cell: ({ role }) => roleName(role, team) },
    {
      id: 'state',
      head: team.state,
      cell: ({ state }) => <StateLabel tone={personTones[state]}>{team.states[state]}</StateLabel>,
    },
    {
      id: 'factor',
      head: team.factor,
      cell: ({ hasFactor }) => (hasFactor ? team.yes : team.no),
      wideOnly: true,
    },
    {
      id: 'signed-in',
      head: team.signedIn,
      cell: ({ signedInAt }) => (signedInAt === null ? team.never : <Moment at={signedInAt} />),
      wideOnly: true,
    },
  ]
}
