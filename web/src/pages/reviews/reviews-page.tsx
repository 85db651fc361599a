import { useParams } from 'wouter'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { OrderBrief } from '../../parts/order-brief.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { isOperator, useMe } from '../../shell/me.tsx'
import { casesWords } from '../../words/cases.ts'
import { useWords } from '../../words/use-words.tsx'
import { ReviewPanel, reviewTone } from './review-panel.tsx'

type Review = RowOf<'GET /reviews'>

export function ReviewsPage() {
  const cases = useWords(casesWords)
  const isForAll = isOperator(useMe())
  const path = isForAll ? '/queues/reviews' : '/disputes/reviews'
  const { tradeNo } = useParams<{ tradeNo?: string }>()
  const list = useList('GET /reviews', {})
  const merchant: Column<Review> = {
    id: 'merchant',
    head: cases.merchant,
    width: '100px',
    wideOnly: true,
    cell: ({ merNo }) => merNo,
  }
  const columns: readonly Column<Review>[] = [
    {
      id: 'order',
      head: cases.order,
      cell: (row) => <OrderBrief tradeNo={row.tradeNo} merOrderNo={row.merOrderNo} order={row.order} />,
    },
    ...(isForAll ? [merchant] : []),
    { id: 'since', head: cases.since, wideOnly: true, cell: ({ since }) => <Moment at={since} /> },
    {
      id: 'state',
      head: cases.state,
      cell: ({ state }) => <StateLabel tone={reviewTone(state)}>{cases.reviewStates[state]}</StateLabel>,
    },
    { id: 'amount', head: cases.amount, align: 'end', cell: ({ money }) => <Money value={money} /> },
  ]
  return (
    <PageFrame title={cases.reviews} hint={cases.reviewsHint}>
      <DataTable
        label={cases.reviews}
        list={list}
        columns={columns}
        rowKey={(row) => row.tradeNo}
        open={(row) => `${path}/${row.tradeNo}`}
        openKey={tradeNo}
        empty={<EmptyState title={cases.noReviews} hint={cases.noReviewsHint} />}
      />
      {tradeNo !== undefined && <ReviewPanel tradeNo={tradeNo} back={path} />}
    </PageFrame>
  )
}
