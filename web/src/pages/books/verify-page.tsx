// Checks the books in the background, and shows the progress and the earlier checks.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Refusal } from '../../api/refusal.ts'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { problemText } from '../../parts/problem-text.ts'
import { StateLabel } from '../../parts/state-label.tsx'
import { useMay } from '../../shell/me.tsx'
import type { Words } from '../../words/en.ts'
import { useWords } from '../../words/use-words.tsx'
import { RunTable } from './run-table.tsx'

export type Run = Reply<'GET /books/verify'>['runs'][number]

const REFRESH_MS = 2_000

export function VerifyPage() {
  const words = useWords()
  const { books } = words
  const may = useMay()
  const found = useCall('GET /books/verify', {}, { refetchInterval: REFRESH_MS })
  const start = useSend('POST /books/verify')
  const [problem, setProblem] = useState<string>()
  const isRunning = found.data?.runs[0]?.state === 'running'
  const startNow = async () => {
    setProblem(undefined)
    try {
      await start({})
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setProblem(problemText(error, words))
    }
  }
  return (
    <PageFrame
      title={books.verify}
      hint={books.verifyHint}
      actions={
        may('books.verify') && (
          <Button loading={isRunning} onClick={() => void startNow()}>
            {books.start}
          </Button>
        )
      }
    >
      {problem !== undefined && <p role="alert">{problem}</p>}
      <RunTable query={found} result={(run) => <Result run={run} books={books} />} />
    </PageFrame>
  )
}

function Result({
  run: { state, progress, result },
  books,
}: {
  readonly run: Run
  readonly books: Words['books']
}) {
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  const count = (value: unknown) => (Array.isArray(value) ? value.length : 0)
  if (state === 'running')
    return (
      <StateLabel tone="waiting">{books.running(number(progress.done), number(progress.total))}</StateLabel>
    )
  if (state === 'failed') return <StateLabel tone="error">{String(result?.error ?? books.failed)}</StateLabel>
  if (result?.isSound === true)
    return <StateLabel tone="done">{books.sound(number(result.orders), number(result.entries))}</StateLabel>
  return (
    <StateLabel tone="error">
      {books.unsound(count(result?.differences) + count(result?.findings))}
    </StateLabel>
  )
}
