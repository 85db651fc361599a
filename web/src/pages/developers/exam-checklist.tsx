// The steps that remain before going live.
import { Stack, Text, Title } from '@mantine/core'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { examWords } from '../../words/exam.ts'
import { useWords } from '../../words/use-words.tsx'
import type { CheckItem } from './exam-result.ts'

export function ExamChecklist({ of }: { readonly of: readonly CheckItem[] }) {
  const exam = useWords(examWords)
  if (of.length === 0) return null
  return (
    <Stack component="section" gap="sm" aria-label={exam.checklist}>
      <div>
        <Title order={2} size="h4">
          {exam.checklist}
        </Title>
        <Text c="dimmed">{exam.checklistHint}</Text>
      </div>
      <PlainTable label={exam.checklist}>
        <tbody>
          {of.map(({ name, done, optional }) => (
            <tr key={name}>
              <td>
                <StateLabel tone={done ? 'done' : optional ? 'neutral' : 'waiting'}>
                  {done ? exam.done : optional ? exam.optional : exam.open}
                </StateLabel>
              </td>
              <th scope="row" className="wraps">
                {exam.checks[name]}
              </th>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Stack>
  )
}
