import { Switch, TextInput } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useEditForm } from '../../parts/use-edit-form.ts'
import { useMay } from '../../shell/me.tsx'
import type { ChosenMerchant } from './chosen-merchant.tsx'
import { Section, type Settings } from './keys-page.tsx'
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
