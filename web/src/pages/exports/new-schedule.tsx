// The form of a new schedule. The schedule is for a list that the person chooses in the form, or for exactly what the
// order list shows.
import { Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import type { InputOf } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { exportsWords } from '../../words/exports.ts'
import { partsWords } from '../../words/parts.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'
import { filterText } from './filter-text.ts'
import { everything, ListFields, wantedOf } from './list-fields.tsx'

type Props = {
  readonly chosen: ChosenMerchant
  /** The filter and the columns of the order list. If missing, the person chooses a list. */
  readonly seen?: Pick<InputOf<'POST /export-schedules'>['body'], 'filter' | 'columns'>
  readonly close: () => void
}

export function NewSchedule({ chosen, seen, close }: Props) {
  const { language } = useLanguage()
  const exports = useWords(exportsWords)
  const parts = useWords(partsWords)
  const create = useSend('POST /export-schedules')
  const form = useForm({ name: '', every: 'day', ...everything }, async ({ name, every, ...typed }) => {
    const wanted = seen === undefined ? wantedOf(typed) : { list: 'orders' as const, ...seen }
    await create({ body: { ...chosen, name, every: every === 'week' ? 'week' : 'day', ...wanted } })
    close()
  })
  return (
    <Modal
      opened
      onClose={close}
      title={exports.newSchedule}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <FormFrame form={form} action={exports.scheduleAction} cancel={close}>
        <TextInput label={exports.name} maxLength={60} required data-autofocus {...form.field('name')} />
        {seen === undefined ? (
          <ListFields chosen={chosen} values={form.values} problemAt={form.problemAt} set={form.set} />
        ) : (
          <Text>{exports.ofSeen(filterText({ list: 'orders', filter: seen.filter }, language))}</Text>
        )}
        <Radio.Group label={exports.every} {...form.field('every')}>
          <Stack gap="xs" mt="xs">
            <Radio value="day" label={exports.everyDay} />
            <Radio value="week" label={exports.everyWeek} />
          </Stack>
        </Radio.Group>
        <Text size="sm" c="dimmed">
          {exports.schedulesHint}
        </Text>
      </FormFrame>
    </Modal>
  )
}
