import { Switch, TextInput } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from './chosen-merchant.tsx'
import { Section, type Settings } from './keys-page.tsx'

type Props = { readonly of: Settings; readonly chosen: ChosenMerchant; readonly reload: () => void }

export function NotificationSettings({ of, chosen, reload }: Props) {
  const { developers } = useWords()
  const isFixed = !useMay()('notifications.edit')
  const save = useSend('PUT /developers/notifications')
  const { notifyReview, chargebackUrl, version } = of
  const form = useForm({ notifyReview, chargebackUrl }, (values) =>
    save({ query: chosen, body: { version, ...values } }),
  )
  return (
    <Section title={developers.notifying}>
      <FormFrame form={form} action={developers.save} disabled={isFixed} reload={reload}>
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
