import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import { Section } from './keys-page.tsx'
import { ShownOnce } from './shown-once.tsx'

export function WebhookSecret() {
  const { developers } = useWords()
  const may = useMay()
  const rotate = useSend('POST /keys/webhook-secret')
  const [isAsking, setIsAsking] = useState(false)
  const [made, setMade] = useState<string>()
  if (!may('keys.edit')) return null
  return (
    <Section title={developers.webhookSecret} hint={developers.webhookSecretHint}>
      <Button className="at-start" variant="default" onClick={() => setIsAsking(true)}>
        {developers.rotateSecret}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={developers.rotateSecret}
          action={developers.rotateSecret}
          close={() => setIsAsking(false)}
          run={async () => setMade((await rotate({})).webhookSecret)}
        >
          <Text>{developers.webhookSecretHint}</Text>
        </ConfirmDialog>
      )}
      {made !== undefined && (
        <ShownOnce title={developers.newSecret} secret={made} close={() => setMade(undefined)} />
      )}
    </Section>
  )
}
