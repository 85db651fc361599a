// Exports that come every day or every week, by mail.
import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'
import { filterText } from './filter-text.ts'
import { everything, ListFields, wantedOf } from './list-fields.tsx'

export function Schedules() {
  const { exports: words } = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const schedules = useCall('GET /export-schedules', {})
  const remove = useSend('DELETE /export-schedules/:scheduleId')
  return (
    <Stack gap="sm" align="flex-start">
      <Text c="dimmed">{words.schedulesHint}</Text>
      <Loaded query={schedules} lines={2}>
        {({ rows }) => (
          <>
            {rows.length === 0 && <Text>{words.noSchedules}</Text>}
            {rows.map(({ scheduleId, name, email, list, filter, every, nextAt }) => (
              <Group key={scheduleId} gap="md">
                <strong>{name}</strong>
                <span>{[words.lists[list], filterText(filter)].filter(Boolean).join(', ')}</span>
                <span>{every === 'day' ? words.everyDay : words.everyWeek}</span>
                <span>{email}</span>
                <span>
                  {words.nextAt}: <Moment at={nextAt} />
                </span>
                <Button variant="subtle" onClick={() => void remove({ params: { scheduleId } })}>
                  {words.delete}
                </Button>
              </Group>
            ))}
          </>
        )}
      </Loaded>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {words.newSchedule}
      </Button>
      {isOpen && <NewSchedule close={() => setIsOpen(false)} />}
    </Stack>
  )
}

function NewSchedule({ close }: { readonly close: () => void }) {
  const { exports: words, parts } = useWords()
  const create = useSend('POST /export-schedules')
  const form = useForm({ name: '', every: 'day', ...everything }, async ({ name, every, ...chosen }) => {
    await create({ body: { name, every: every === 'week' ? 'week' : 'day', ...wantedOf(chosen) } })
    close()
  })
  return (
    <Modal opened onClose={close} title={words.newSchedule} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={words.scheduleAction} cancel={close}>
        <TextInput label={words.name} maxLength={60} required data-autofocus {...form.field('name')} />
        <ListFields values={form.values} problemAt={form.problemAt} set={form.set} />
        <Radio.Group label={words.every} {...form.field('every')}>
          <Stack gap="xs" mt="xs">
            <Radio value="day" label={words.everyDay} />
            <Radio value="week" label={words.everyWeek} />
          </Stack>
        </Radio.Group>
      </FormFrame>
    </Modal>
  )
}
