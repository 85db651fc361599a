import { TextInput } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useEditForm } from '../../parts/use-edit-form.ts'
import { useWords } from '../../words/use-words.tsx'

type Settings = Reply<'GET /payouts/settings'>

/** The amount above which a run of payouts needs a second person. */
export function SecondPersonAmount() {
  const settings = useCall('GET /payouts/settings', {})
  return (
    <Loaded query={settings} lines={2}>
      {(found) => <AmountForm settings={found} />}
    </Loaded>
  )
}

function AmountForm({ settings }: { readonly settings: Settings }) {
  const { payouts } = useWords()
  const save = useSend('PUT /payouts/settings')
  const values = { secondPersonAbove: settings.secondPersonAbove ?? '' }
  const form = useEditForm({ values, version: settings.version }, async (typed, version) => {
    const saved = await save({ body: { secondPersonAbove: typed.secondPersonAbove.trim(), version } })
    return saved.version
  })
  return (
    <FormFrame form={form} action={payouts.saveLimit} reload={form.reload}>
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
