// How the merchant's notifications are sent, and the secret that signs them.
import { Button, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useEditForm } from '../../parts/use-edit-form.ts'
import { useMay } from '../../shell/me.tsx'
import { developersWords } from '../../words/developers.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from './chosen-merchant.tsx'
import { Section, type Settings } from './key-section.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

type Props = { readonly of: Settings['notifying']; readonly chosen: ChosenMerchant }

export function NotificationSettings({ of, chosen }: Props) {
  const developers = useDeveloperWords()
  const isFixed = !useMay()('notifications.edit')
  const save = useSend('PUT /developers/notifications')
  const { version: loaded, ...values } = of
  const form = useEditForm({ values, version: loaded }, async (typed, version) => {
    const saved = await save({ query: chosen, body: { version, ...typed } })
    return saved.version
  })
  return (
    <Section title={developers.notifying}>
      <FormFrame form={form} action={developers.save} disabled={isFixed} reload={form.reload}>
        <Switch label={developers.notifyReview} disabled={isFixed} {...form.check('notifyReview')} />
        <Switch
          label={developers.amountsInNotifications}
          disabled={isFixed}
          {...form.check('amountsInNotifications')}
        />
        <TextInput
          label={developers.chargebackUrl}
          description={developers.chargebackUrlHint}
          disabled={isFixed}
          {...form.field('chargebackUrl')}
        />
      </FormFrame>
    </Section>
  )
}

export function WebhookSecret() {
  const developers = useWords(developersWords)
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
