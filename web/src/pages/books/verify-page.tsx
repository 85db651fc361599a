// Checks the books in the background, and shows the progress and the earlier checks.
import { Button } from '@mantine/core'
import { useCall, useSend } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useMay } from '../../shell/me.tsx'
import { booksWords } from '../../words/books.ts'
import { useWords } from '../../words/use-words.tsx'
import { RunTable } from './run-table.tsx'
import { VerifyFindings } from './verify-findings.tsx'
import { VerifyResult } from './verify-result.tsx'

const REFRESH_MS = 2_000

export function VerifyPage() {
  const books = useWords(booksWords)
  const may = useMay()
  const found = useCall('GET /books/verify', {}, { refetchInterval: REFRESH_MS })
  const start = useSend('POST /books/verify')
  const { problem, run } = useAction()
  const isRunning = found.data?.runs[0]?.state === 'running'
  return (
    <PageFrame
      title={books.verify}
      hint={books.verifyHint}
      actions={
        may('books.verify') && (
          <Button loading={isRunning} onClick={() => run(() => start({}))}>
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
