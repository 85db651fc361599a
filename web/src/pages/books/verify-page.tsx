// Checks the books in the background, and shows the progress and the earlier checks.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Refusal } from '../../api/refusal.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { useProblemText } from '../../parts/problem-text.ts'
import { EmptyState } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { booksWords } from '../../words/books.ts'
import { useWords } from '../../words/use-words.tsx'
import { RunTable } from './run-table.tsx'
import { VerifyFindings } from './verify-findings.tsx'
import { VerifyResult } from './verify-result.tsx'

const REFRESH_MS = 2_000

export function VerifyPage() {
  const problemText = useProblemText()
  const books = useWords(booksWords)
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
      setProblem(problemText(error))
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
      <RunTable
        query={found}
        result={(run) => (
          <>
            <VerifyResult run={run} />
            <VerifyFindings result={run.result} />
          </>
        )}
        empty={<EmptyState title={books.noRuns} hint={books.noRunsHint} />}
      />
    </PageFrame>
  )
}
