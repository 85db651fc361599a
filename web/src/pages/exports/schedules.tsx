// The exports that are made every day or every week and announced by mail.
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { Loaded } from '../../parts/states.tsx'
import { exportsWords } from '../../words/exports.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'
import { filterText } from './filter-text.ts'
import { NewSchedule } from './new-schedule.tsx'

export function Schedules({ chosen }: { readonly chosen: ChosenMerchant }) {
  const exports = useWords(exportsWords)
  const [isOpen, setIsOpen] = useState(false)
  const schedules = useCall('GET /export-schedules', { query: chosen })
  return (
    <Stack gap="sm">
      <Text c="dimmed">{exports.schedulesHint}</Text>
      <Loaded query={schedules} lines={2}>
        {({ rows }) =>
          rows.length === 0 ? <Text>{exports.noSchedules}</Text> : <ScheduleTable rows={rows} />
        }
      </Loaded>
      <Button variant="default" className="at-start" onClick={() => setIsOpen(true)}>
        {exports.newSchedule}
      </Button>
      {isOpen && <NewSchedule chosen={chosen} close={() => setIsOpen(false)} />}
    </Stack>
  )
}

function ScheduleTable({ rows }: { readonly rows: Reply<'GET /export-schedules'>['rows'] }) {
  const { language } = useLanguage()
  const exports = useWords(exportsWords)
  const remove = useSend('DELETE /export-schedules/:scheduleId')
  return (
    <PlainTable label={exports.schedules}>
      <thead>
        <tr>
          <th scope="col">{exports.name}</th>
          <th scope="col">{exports.list}</th>
          <th scope="col">{exports.every}</th>
          <th scope="col" className="wide-only">
            {exports.to}
          </th>
          <th scope="col" className="wide-only">
            {exports.nextAt}
          </th>
          <th scope="col" aria-label={exports.delete} />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ scheduleId, name, email, list, filter, every, nextAt }) => (
          <tr key={scheduleId}>
            <td>{name}</td>
            <td>
              {[exports.lists[list], filterText({ list, filter }, language)].filter(Boolean).join(', ')}
            </td>
            <td>{exports.everyIn[every]}</td>
            <td className="wide-only">{email}</td>
            <td className="wide-only">
              <Moment at={nextAt} />
            </td>
            <td className="at-end">
              <ActionButton variant="subtle" run={() => remove({ params: { scheduleId } })}>
                {exports.delete}
              </ActionButton>
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}
