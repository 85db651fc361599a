// The staff of the person's company or the other operators. For operators also the staff of a merchant.
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
import { type TeamWords, teamWords } from '../../words/team.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, WithMerchant } from '../developers/chosen-merchant.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { type Person, personTones } from './person.ts'
import { PersonPanel } from './person-panel.tsx'
import { roleName } from './role.ts'
import { SignInRules } from './sign-in-rules.tsx'

export function TeamPage() {
  return <Team chosen={{}} path="/settings/team" />
}

export function MerchantPeoplePage() {
  return (
    <WithMerchant>
      {(chosen) => <Team key={chosen.merNo} chosen={chosen} path="/merchant-people" />}
    </WithMerchant>
  )
}

type Props = { readonly chosen: ChosenMerchant; readonly path: string }

function Team({ chosen, path }: Props) {
  const team = useWords(teamWords)
  const may = useMay()
  const { userId } = useParams<{ userId?: string }>()
  const list = useList('GET /users', { query: chosen })
  const [isInviting, setIsInviting] = useState(false)
  const opened = list.rows?.find((person) => person.userId === userId)
  const ofMerchant = chosen.merNo !== undefined
  const hasOwner = list.rows?.some(({ role, state }) => role === 'owner' && state === 'active') ?? true
  const title = ofMerchant ? team.ofMerchant : team.title
  return (
    <PageFrame
      title={title}
      hint={ofMerchant ? team.ofMerchantHint : team.hint}
      actions={
        may('users.edit') &&
        !(ofMerchant && (hasOwner || !may('users.owner'))) && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsInviting(true)}>
            {ofMerchant ? team.inviteOwner : team.invite}
          </Button>
        )
      }
    >
      <DataTable
        label={title}
        list={list}
        columns={columnsOf(team)}
        rowKey={(person) => person.userId}
        open={(person) => `${path}/${person.userId}`}
        openKey={userId}
        empty={
          <EmptyState title={team.empty} hint={ofMerchant ? team.nobodyOfMerchantHint : team.emptyHint} />
        }
      />
      {/* The form appears only after the list is loaded, because otherwise the list would move the form down. */}
      {list.rows !== undefined && !ofMerchant && <SignInRules />}
      {isInviting && <InviteDialog chosen={chosen} close={() => setIsInviting(false)} />}
      {opened !== undefined && (
        <PersonPanel key={opened.userId} chosen={chosen} person={opened} back={path} />
      )}
    </PageFrame>
  )
}

function columnsOf(team: TeamWords): readonly Column<Person>[] {
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
