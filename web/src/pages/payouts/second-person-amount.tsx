import { TextInput } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'

type Settings = Reply<'GET /payouts/settings'>

/** The amount above which a run of payouts needs a second person. */
export function SecondPersonAmount() {
  const settings = useCall('GET /payouts/settings', {})
  return (
    <Loaded query={settings} lines={2}>
      {(found) => <AmountForm key={found.version} settings={found} reload={() => void settings.refetch()} />}
    </Loaded>
  )
}

function AmountForm({ settings, reload }: { readonly settings: Settings; readonly reload: () => void }) {
  const { payouts } = useWords()
  const save = useSend('PUT /payouts/settings')
  const form = useForm({ secondPersonAbove: settings.secondPersonAbove ?? '' }, (values) =>
    save({ body: { secondPersonAbove: values.secondPersonAbove.trim(), version: settings.version } }),
  )
  return (
    <FormFrame form={form} action={payouts.saveLimit} reload={reload}>
      <TextInput
        label={payouts.secondAbove}
        description={payouts.secondAboveHint}
        inputMode="decimal"
        placeholder="1000.00"
        maw={420}
        {...form.field('secondPersonAbove')}
      />
    </FormFrame>
  )
}
