// The alerts that the person gets by mail. Each change of a switch is saved immediately.
import { Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { DoneNote } from '../../parts/done-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { accountWords } from '../../words/account.ts'
import { useWords } from '../../words/use-words.tsx'

export function AlertsPage() {
  const account = useWords(accountWords)
  const alerts = useCall('GET /alerts', {})
  return (
    <PageFrame title={account.alerts} hint={account.alertsHint}>
      <Loaded query={alerts}>{({ rows }) => <Switches alerts={rows} />}</Loaded>
    </PageFrame>
  )
}

type Alert = Reply<'GET /alerts'>['rows'][number]

function Switches({ alerts }: { readonly alerts: readonly Alert[] }) {
  const account = useWords(accountWords)
  const send = useSend('PUT /alerts')
  const [isSaved, setIsSaved] = useState(false)
  const saving = useAction()
  const change = async (changed: Alert, isOn: boolean) => {
    setIsSaved(false)
    const on = alerts.filter((one) => (one === changed ? isOn : one.isOn)).map(({ kind }) => kind)
    await send({ body: { on } })
    setIsSaved(true)
  }
  return (
    <Stack>
      {alerts.map((alert) => (
        <Switch
          key={alert.kind}
          label={account.alertKinds[alert.kind]}
          checked={alert.isOn}
          {...(alert.isAlwaysOn && { disabled: true, description: account.alwaysOn })}
          onChange={({ currentTarget: { checked } }) => saving.run(() => change(alert, checked))}
        />
      ))}
      {saving.problem !== undefined && (
        <Text role="alert" c="var(--error)">
          {saving.problem}
        </Text>
      )}
      <DoneNote>{isSaved ? account.saved : undefined}</DoneNote>
    </Stack>
  )
}
