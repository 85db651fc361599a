// The payouts that a second person of the company must approve, and the amount above which a second person must
// approve.
import { useList, useSend } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useMay } from '../../shell/me.tsx'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { ApprovalTable } from '../queues/approval-table.tsx'
import { OwnPayouts } from './own-payouts.tsx'
import { SecondPersonAmount } from './second-person-amount.tsx'

export function PayoutApprovalsPage() {
  const payouts = useWords(payoutsWords)
  const filters = useFilters(['state'])
  const state = filters.values.state === 'decided' ? 'decided' : 'waiting'
  const list = useList('GET /payouts/approvals', { query: { state } })
  const approve = useSend('POST /payouts/approvals/:approvalId/approve')
  const reject = useSend('POST /payouts/approvals/:approvalId/reject')
  const may = useMay()
  return (
    <PageFrame title={payouts.approvals} hint={payouts.approvalsHint}>
      <ApprovalTable
        list={list}
        filters={filters}
        showsMerchant={false}
        mayDecide={may('payouts.approve')}
        approve={(approvalId, reason) => approve({ params: { approvalId }, body: { reason } })}
        reject={(approvalId, reason) => reject({ params: { approvalId }, body: { reason } })}
      />
      <OwnPayouts mayDecide={may('payouts.approve')} />
      {/* The form appears only after the list is loaded, because otherwise the list would move the form down. */}
      {list.rows !== undefined && may('company.edit') && <SecondPersonAmount />}
    </PageFrame>
  )
}
