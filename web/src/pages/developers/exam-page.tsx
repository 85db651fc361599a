// The integration exam: the form that starts it, its progress, and the advice that results from it.
import { Stack } from '@mantine/core'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { examWords } from '../../words/exam.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, WithMerchant } from './chosen-merchant.tsx'
import { ExamChecklist } from './exam-checklist.tsx'
import { ExamExercises } from './exam-exercises.tsx'
import { ExamForm } from './exam-form.tsx'
import { checklistIn } from './exam-result.ts'

const REFRESH_MS = 2_000

export function ExamPage() {
  return <WithMerchant>{(chosen) => <Exam chosen={chosen} />}</WithMerchant>
}

function Exam({ chosen }: { readonly chosen: ChosenMerchant }) {
  const exam = useWords(examWords)
  const may = useMay()
  const found = useCall('GET /exams', { query: chosen }, { refetchInterval: REFRESH_MS })
  return (
    <PageFrame title={exam.title} hint={exam.hint}>
      <Loaded query={found} lines={10}>
        {({ open, exercises, runs: [latest] }) =>
          open ? (
            <Stack gap="xl">
              {may(chosen.merNo === undefined ? 'keys.edit' : 'merchants.edit') && (
                <ExamForm chosen={chosen} isRunning={latest?.state === 'running'} />
              )}
              {latest === undefined ? (
                <EmptyState title={exam.none} hint={exam.noneHint} />
              ) : (
                <>
                  <ExamExercises of={latest} total={exercises} />
                  <ExamChecklist of={checklistIn(latest)} />
                </>
              )}
            </Stack>
          ) : (
            <EmptyState title={exam.onlySandbox} hint={exam.onlySandboxHint} />
          )
        }
      </Loaded>
    </PageFrame>
  )
}
