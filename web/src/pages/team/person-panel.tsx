import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { DoneNote } from '../../parts/done-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Moment } from '../../parts/moment.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { useEditForm } from '../../parts/use-edit-form.ts'
import { useMay, useMe } from '../../shell/me.tsx'
import { teamWords } from '../../words/team.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'
import { type Person, personTones } from './person.ts'
import { type PersonAction, PersonDialog } from './person-dialog.tsx'
import { roleName } from './role.ts'
import { useGrantableRoles } from './use-roles.ts'

type Props = { readonly chosen: ChosenMerchant; readonly person: Person; readonly back: string }

export function PersonPanel({ chosen, person, back }: Props) {
  const team = useWords(teamWords)
  const may = useMay()
  const isMe = useMe().userId === person.userId
  const { name, email, role, state, hasFactor, createdAt, signedInAt } = person
  return (
    <SidePanel title={team.details} back={back}>
      <Stack gap="lg">
        <Facts
          of={[
            [team.person, name],
            [team.email, email],
            [team.role, roleName(role, team)],
            [
              team.state,
              <StateLabel key="state" tone={personTones[state]}>
                {team.states[state]}
              </StateLabel>,
            ],
            [team.factor, hasFactor ? team.yes : team.no],
            [team.created, <Moment key="created" at={createdAt} />],
            [team.signedIn, signedInAt === null ? team.never : <Moment key="signed-in" at={signedInAt} />],
          ]}
        />
        {may('users.edit') && !isMe && (
          <>
            {/* Operators do not assign roles to a merchant's staff. Only the company itself does. */}
            {state !== 'disabled' && chosen.merNo === undefined && <RoleForm person={person} />}
            <Actions chosen={chosen} person={person} />
          </>
        )}
      </Stack>
    </SidePanel>
  )
}

function RoleForm({ person: { userId, role, version: loaded } }: Pick<Props, 'person'>) {
  const team = useWords(teamWords)
  const roles = useGrantableRoles()
  const send = useSend('PUT /users/:userId')
  const [waits, setWaits] = useState(false)
  const form = useEditForm({ values: { role }, version: loaded }, async (chosen, version) => {
    const saved = await send({ params: { userId }, body: { ...chosen, version } })
    setWaits(saved.approvalId !== undefined)
    return saved.version
  })
  return (
    <FormFrame form={form} action={team.changeRole} disabled={!form.isChanged} reload={form.reload}>
      <NativeSelect label={team.role} data={[...roles]} {...form.field('role')} />
      {waits && <DoneNote>{team.waits}</DoneNote>}
    </FormFrame>
  )
}

function Actions({ chosen, person }: Pick<Props, 'chosen' | 'person'>) {
  const team = useWords(teamWords)
  const [dialog, setDialog] = useState<PersonAction>()
  const [note, setNote] = useState<string>()
  const { userId, state, hasFactor } = person
  const resend = useSend('POST /users/:userId/resend')
  const sendAgain = async () => {
    await resend({ params: { userId }, query: chosen })
    setNote(team.resent)
  }
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {state === 'invited' && <ActionButton run={sendAgain}>{team.resend}</ActionButton>}
        {hasFactor && state === 'active' && (
          <Button variant="default" onClick={() => setDialog('reset-factor')}>
            {team.resetFactor}
          </Button>
        )}
        {state === 'disabled' ? (
          <Button variant="default" onClick={() => setDialog('enable')}>
            {team.enable}
          </Button>
        ) : (
          <Button variant="light" color="red" onClick={() => setDialog('disable')}>
            {team.disable}
          </Button>
        )}
      </Group>
      <DoneNote>{note}</DoneNote>
      {dialog !== undefined && (
        <PersonDialog
          chosen={chosen}
          person={person}
          action={dialog}
          close={() => setDialog(undefined)}
          waits={() => setNote(team.waits)}
        />
      )}
    </Stack>
  )
}
