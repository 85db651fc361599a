// The approvals that wait for a second operator.
import { useList, useSend } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useMay } from '../../shell/me.tsx'
import { decideWords } from '../../words/decide.ts'
import { useWords } from '../../words/use-words.tsx'
import { ApprovalTable } from './approval-table.tsx'

export function ApprovalsPage() {
  const decide = useWords(decideWords)
  const filters = useFilters(['state'])
  const state = filters.values.state === 'decided' ? 'decided' : 'waiting'
  const list = useList('GET /approvals', { query: { state } })
  const approve = useSend('POST /approvals/:approvalId/approve')
  const reject = useSend('POST /approvals/:approvalId/reject')
  return (
    <PageFrame title={decide.approvals} hint={decide.approvalsHint}>
      <ApprovalTable
        list={list}
        filters={filters}
        showsMerchant
        mayDecide={useMay()('approvals.decide')}
        approve={(approvalId, reason) => approve({ params: { approvalId }, body: { reason } })}
        reject={(approvalId, reason) => reject({ params: { approvalId }, body: { reason } })}
      />
    </PageFrame>
  )
}
