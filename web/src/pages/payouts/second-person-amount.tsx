import { Checkbox, TextInput } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useEditForm } from '../../parts/use-edit-form.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'

type Settings = Reply<'GET /payouts/settings'>

/**
 * The amount above which a second person must approve payouts. With the checkbox, it also applies to payouts that the
 * merchant's program sends.
 */
export function SecondPersonAmount() {
  const settings = useCall('GET /payouts/settings', {})
  return (
    <Loaded query={settings} lines={2}>
      {(found) => <AmountForm settings={found} />}
    </Loaded>
  )
}

function AmountForm({ settings }: { readonly settings: Settings }) {
  const payouts = useWords(payoutsWords)
  const save = useSend('PUT /payouts/settings')
  const { secondPersonAbove = '', includesInterface } = settings
  const values = { secondPersonAbove, includesInterface }
  const form = useEditForm({ values, version: settings.version }, async (typed, version) => {
    const body = { ...typed, secondPersonAbove: typed.secondPersonAbove.trim(), version }
    const saved = await save({ body })
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
      <Checkbox
        label={payouts.includesInterface}
        description={payouts.includesInterfaceHint}
        maw={620}
        {...form.check('includesInterface')}
      />
    </FormFrame>
  )
}
