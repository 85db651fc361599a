// Schedules an export with the filter and the columns of the order list. Each export covers the days before its mail.
import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { InputOf } from '../../api/send.ts'
import { exportsWords } from '../../words/exports.ts'
import { useWords } from '../../words/use-words.tsx'

/** The form is loaded when it is first opened. */
const NewSchedule = lazy(async () => ({ default: (await import('./new-schedule.tsx')).NewSchedule }))

type Props = Pick<InputOf<'POST /export-schedules'>['body'], 'filter' | 'columns'>

export function ScheduleButton({ filter: { from: _from, to: _to, merNo, ...filter }, columns }: Props) {
  const exports = useWords(exportsWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {exports.byMail}
      </Button>
      {isOpen && (
        <Suspense>
          <NewSchedule
            chosen={merNo === undefined ? {} : { merNo }}
            seen={{ filter, columns }}
            close={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
