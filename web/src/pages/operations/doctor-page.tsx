// The checks of the installation, which are those of the command `doctor`. Each finding appears as soon as its check
// has run.
import { Button, Stack, Text } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { operationsWords } from '../../words/operations.ts'
import { useWords } from '../../words/use-words.tsx'

type Run = Reply<'GET /doctor'>['runs'][number]

type Finding = {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly todo?: string
}

const tones: Readonly<Record<Finding['status'], Tone>> = { ok: 'done', warn: 'waiting', fail: 'error' }
const REFRESH_MS = 1_000

export function DoctorPage() {
  const operations = useWords(operationsWords)
  const found = useCall('GET /doctor', {}, { refetchInterval: REFRESH_MS })
  const start = useSend('POST /doctor')
  const rebuild = useSend('POST /search/rebuild')
  const action = useAction()
  const isRunning = found.data?.runs[0]?.state === 'running'
  return (
    <PageFrame
      title={operations.doctor}
      hint={operations.doctorHint}
      actions={
        <>
          <Button loading={isRunning || action.isRunning} onClick={() => action.run(() => start({}))}>
            {operations.examine}
          </Button>
          <DecideButton
            label={operations.rebuild}
            title={operations.rebuildTitle}
            hint={operations.rebuildHint}
            size="sm"
            run={(reason) => rebuild({ body: { reason } })}
          />
        </>
      }
    >
      {action.problem !== undefined && <p role="alert">{action.problem}</p>}
      <Loaded query={found}>
        {({ runs: [latest] }) =>
          latest === undefined ? (
            <EmptyState title={operations.notExamined} hint={operations.notExaminedHint} />
          ) : (
            <Findings of={latest} />
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function Findings({ of: { state, startedAt, startedBy, progress, result } }: { readonly of: Run }) {
  const operations = useWords(operationsWords)
  const findings = findingsIn(state === 'done' ? result?.findings : progress.findings)
  const bad = findings.filter(({ status }) => status !== 'ok')
  const summaries: Readonly<Record<string, string>> = {
    running: operations.examining(findings.length),
    done: operations.summary(findings.length, bad.length),
    failed: operations.brokeOff(findings.length),
  }
  return (
    <Stack gap="sm">
      <Text role="status">
        {summaries[state]}{' '}
        <Text span c="dimmed" size="sm">
          {startedBy} <Moment at={startedAt} />
        </Text>
      </Text>
      {state === 'failed' && <StateLabel tone="error">{String(result?.error ?? '')}</StateLabel>}
      <PlainTable label={operations.doctor}>
        <thead>
          <tr>
            <th scope="col">{operations.check}</th>
            <th scope="col">{operations.state}</th>
            <th scope="col">{operations.found}</th>
          </tr>
        </thead>
        <tbody>
          {findings.map(({ check, status, found, todo }) => (
            <tr key={check}>
              <th scope="row">{operations.checks[check] ?? check}</th>
              <td>
                <StateLabel tone={tones[status]}>{operations.statuses[status]}</StateLabel>
              </td>
              <td className="wraps">
                {found}
                {todo !== undefined && <Text size="sm">{operations.todo(todo)}</Text>}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Stack>
  )
}

/** Reads the findings in a run's result. The API's types do not describe a run's result. */
function findingsIn(value: unknown): readonly Finding[] {
  return Array.isArray(value) ? value : []
}
