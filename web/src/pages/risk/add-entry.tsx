import { Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { endOfDay } from '../../parts/days.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { partsWords } from '../../words/parts.ts'
import { riskWords } from '../../words/risk.ts'
import { useWords } from '../../words/use-words.tsx'
import { kindOf, kinds, listOf, lists } from './names.ts'

const empty = { list: 'block', kind: 'card', value: '', tradeNo: '', merNo: '', expiresAt: '', reason: '' }

export function AddEntry({ close }: { readonly close: () => void }) {
  const risk = useWords(riskWords)
  const parts = useWords(partsWords)
  const send = useSend('POST /risk/entries')
  const form = useForm(empty, async ({ list, kind, value, tradeNo, merNo, reason, ...typed }) => {
    const expiresAt = endOfDay(typed.expiresAt === '' ? undefined : typed.expiresAt)
    await send({
      body: {
        list: listOf(list) ?? 'block',
        kind: kindOf(kind) ?? 'card',
        merNo: merNo === '' ? 0 : Number(merNo),
        reason,
        ...(value !== '' || tradeNo === '' ? { value } : { tradeNo }),
        ...(expiresAt !== undefined && { expiresAt }),
      },
    })
    close()
  })
  const kind = kindOf(form.values.kind) ?? 'card'
  return (
    <Modal opened onClose={close} title={risk.add} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={risk.addAction} cancel={close}>
        <Stack gap="md">
          <NativeSelect
            label={risk.list}
            data={lists.map((value) => ({ value, label: risk.listNames[value] }))}
            data-autofocus
            {...form.field('list')}
          />
          <NativeSelect
            label={risk.kind}
            data={kinds.map((value) => ({ value, label: risk.kinds[value] }))}
            {...form.field('kind')}
          />
          <TextInput
            label={risk.entry}
            description={risk.valueHints[kind]}
            maxLength={255}
            autoComplete="off"
            {...form.field('value')}
          />
          <TextInput label={risk.ofOrder} maxLength={40} {...form.field('tradeNo')} />
          <TextInput
            label={risk.scope}
            description={risk.scopeHint}
            inputMode="numeric"
            {...form.field('merNo')}
          />
          <TextInput
            type="date"
            label={risk.until}
            description={risk.untilHint}
            {...form.field('expiresAt')}
          />
          <ReasonField {...form.field('reason')} />
        </Stack>
      </FormFrame>
    </Modal>
  )
}
