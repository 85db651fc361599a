import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { useMay } from '../../shell/me.tsx'
import { developersWords } from '../../words/developers.ts'
import { useWords } from '../../words/use-words.tsx'
import { KeyUse, Section, type Settings } from './key-section.tsx'
import { ShownOnce } from './shown-once.tsx'

export function MerchantKeys({ of: { keys } }: { readonly of: Settings }) {
  const developers = useWords(developersWords)
  const may = useMay()
  const rotate = useSend('POST /keys/rotate')
  const [isAsking, setIsAsking] = useState(false)
  const [made, setMade] = useState<string>()
  const [endsOldKey, setEndsOldKey] = useState(false)
  const ask = () => {
    setEndsOldKey(false)
    setIsAsking(true)
  }
  const old = keys.find(({ retiresAt }) => retiresAt !== null)
  return (
    <Section title={developers.merchantKey} hint={developers.merchantKeyHint}>
      <PlainTable label={developers.merchantKey}>
        <tbody>
          {keys.map((key) => (
            <tr key={key.keyId}>
              <th scope="row" className="mono">
                {key.keyId}
              </th>
              <td>
                <KeyState of={key} />
              </td>
              <td>
                <KeyUse at={key.usedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {may('keys.secret') && (
        <Button className="at-start" variant="default" onClick={ask}>
          {developers.rotate}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={developers.rotateTitle}
          action={developers.rotate}
          close={() => setIsAsking(false)}
          run={async () => setMade((await rotate({ body: { endsOldKey } })).key)}
        >
          <Text>{developers.rotateHint}</Text>
          {old !== undefined && (
            <Stack gap="xs">
              <Text>
                {developers.oldKeyValid} <Moment at={old.retiresAt ?? ''} />
              </Text>
              <Checkbox
                label={developers.endOldKey}
                checked={endsOldKey}
                onChange={(event) => setEndsOldKey(event.currentTarget.checked)}
              />
            </Stack>
          )}
        </ConfirmDialog>
      )}
      {made !== undefined && (
        <ShownOnce title={developers.newKey} secret={made} close={() => setMade(undefined)} />
      )}
    </Section>
  )
}

function KeyState({ of: { usedAt, retiresAt } }: { readonly of: Settings['keys'][number] }) {
  const developers = useWords(developersWords)
  if (retiresAt !== null)
    return (
      <>
        <StateLabel tone="waiting">{developers.validUntil}</StateLabel> <Moment at={retiresAt} />
      </>
    )
  return <StateLabel tone={usedAt === null ? 'waiting' : 'done'}>{developers.current}</StateLabel>
}
