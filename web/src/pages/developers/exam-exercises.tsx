// The exercises of an exam that have run so far, each with its notifications and the shop's responses.
import { Progress, Stack, Text, Title } from '@mantine/core'
import { CodeView } from '../../parts/code-view.tsx'
import { Moment } from '../../parts/moment.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { examWords } from '../../words/exam.ts'
import { fieldTextWords } from '../../words/field-text.ts'
import { useWords } from '../../words/use-words.tsx'
import { type Delivery, type ExamRun, type Exercised, exercisesIn } from './exam-result.ts'

const tones: Readonly<Record<Exercised['state'], Tone>> = {
  passed: 'done',
  failed: 'error',
  skipped: 'neutral',
}

export function ExamExercises({ of, total }: { readonly of: ExamRun; readonly total: number }) {
  const exam = useWords(examWords)
  const exercises = exercisesIn(of)
  return (
    <Stack component="section" gap="sm" aria-label={exam.exercises}>
      <Title order={2} size="h4">
        {exam.exercises}
      </Title>
      <Outcome of={of} exercises={exercises} total={total} />
      <ol className="exercises">
        {exercises.map((one) => (
          <li key={one.name} aria-label={exam.titles[one.name]}>
            <StateLabel tone={tones[one.state]}>{exam.states[one.state]}</StateLabel>
            <div>
              <Text fw={500}>{exam.titles[one.name]}</Text>
              <Found of={one} />
            </div>
          </li>
        ))}
      </ol>
    </Stack>
  )
}

type OutcomeProps = {
  readonly of: ExamRun
  readonly exercises: readonly Exercised[]
  readonly total: number
}

function Outcome({ of: { state, result, startedAt, startedBy }, exercises, total }: OutcomeProps) {
  const exam = useWords(examWords)
  const fieldText = useWords(fieldTextWords)
  const count = (wanted: Exercised['state']) => exercises.filter((one) => one.state === wanted).length
  const by = (
    <Text span c="dimmed" size="sm">
      {startedBy} <Moment at={startedAt} />
    </Text>
  )
  if (state === 'running') {
    const text = exam.running(exercises.length, total)
    return (
      <Stack gap="xs" role="status">
        <Text>
          {text} {by}
        </Text>
        <Progress value={(100 * exercises.length) / total} aria-label={text} />
      </Stack>
    )
  }
  const isPassed = result?.passed === true
  const label = state === 'failed' ? exam.brokenOff : isPassed ? exam.passed : exam.notPassed
  const counts = exam.counts(count('passed'), count('failed'), count('skipped'))
  return (
    <Text role="status">
      <StateLabel tone={isPassed ? 'done' : 'error'}>{label}</StateLabel>{' '}
      {state === 'failed' ? fieldText(String(result?.error ?? '')) : counts} {by}
    </Text>
  )
}

function Found({ of: { name, state, found, effectChecked, deliveries } }: { readonly of: Exercised }) {
  const exam = useWords(examWords)
  const fieldText = useWords(fieldTextWords)
  const passed = effectChecked ? exam.answered : exam.effectNotChecked
  const lines = state === 'passed' ? [passed] : found
  return (
    <>
      {lines.map((line) => (
        <Text key={line} size="sm" c="dimmed">
          {fieldText(line)}
        </Text>
      ))}
      {state === 'failed' && (
        <Text size="sm">
          {exam.next(exam.todos[name])} <a href={`../../docs/exam#${name}`}>{exam.guide}</a>
        </Text>
      )}
      {deliveries.length > 0 && (
        <details>
          <summary>{exam.deliveries(deliveries.length)}</summary>
          <Stack gap="md">
            {deliveries.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: deliveries are never reordered
              <Delivered key={at} of={one} />
            ))}
          </Stack>
        </details>
      )}
    </>
  )
}

function Delivered({
  of: { title, request, status, answer, latencyMs, wanted, wrong },
}: {
  readonly of: Delivery
}) {
  const exam = useWords(examWords)
  const fieldText = useWords(fieldTextWords)
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={500}>
          {fieldText(title)}
        </Text>
        <Text size="sm" c="dimmed">
          {exam.wanted[wanted]}
        </Text>
        {wrong !== null && <StateLabel tone="error">{exam.states.failed}</StateLabel>}
      </div>
      <CodeView label={exam.request} value={request} />
      <CodeView label={exam.answer(status, latencyMs)} value={answer} />
    </Stack>
  )
}
