import { Text } from '@mantine/core'
import { type RowOf, useList, useSend } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { OrderBrief } from '../../parts/order-brief.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { decideWords } from '../../words/decide.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { ReleaseButtons } from './release-buttons.tsx'
import { useOneMerchant } from './use-one-merchant.tsx'

type Refund = RowOf<'GET /refunds/waiting'>

export function WaitingRefundsPage() {
  const decide = useWords(decideWords)
  const parts = useWords(partsWords)
  const { query, isEmpty, bar } = useOneMerchant()
  const list = useList('GET /refunds/waiting', { query })
  const approve = useSend('POST /refunds/:refundNo/approve')
  const reject = useSend('POST /refunds/:refundNo/reject')
  const columns: readonly Column<Refund>[] = [
    {
      id: 'number',
      head: decide.number,
      cell: ({ refundNo, tradeNo, merOrderNo, order }) => (
        <>
          <div className="mono two-lines">{refundNo}</div>
          <OrderBrief tradeNo={tradeNo} merOrderNo={merOrderNo} order={order} />
        </>
      ),
    },
    { id: 'merchant', head: decide.merchant, width: '100px', wideOnly: true, cell: ({ merNo }) => merNo },
    { id: 'remark', head: decide.remark, wideOnly: true, cell: ({ remark }) => remark },
    {
      id: 'asked',
      head: decide.askedBy,
      wideOnly: true,
      cell: ({ askedBy, isOwn, createdAt }) => (
        <div>
          {isOwn ? decide.own : (askedBy ?? decide.bySystem)}
          <Text size="xs" c="dimmed">
            <Moment at={createdAt} />
          </Text>
        </div>
      ),
    },
    { id: 'amount', head: decide.amount, align: 'end', cell: ({ money }) => <Money value={money} /> },
  ]
  const decision: Column<Refund> = {
    id: 'decision',
    head: '',
    align: 'end',
    stays: true,
    cell: ({ refundNo, isOwn }) => (
      <ReleaseButtons
        subject={refundNo}
        isOwn={isOwn}
        approve={(reason) => approve({ params: { refundNo }, body: { reason } })}
        reject={(body) => reject({ params: { refundNo }, body })}
      />
    ),
  }
  const mayDecide = useMay()('approvals.decide')
  return (
    <PageFrame title={decide.refunds} hint={decide.refundsHint}>
      {bar}
      <DataTable
        label={decide.refunds}
        list={list}
        columns={mayDecide ? [...columns, decision] : columns}
        rowKey={({ refundNo }) => refundNo}
        empty={
          <EmptyState title={decide.noRefunds} hint={isEmpty ? decide.refundsHint : parts.otherFilter} />
        }
      />
    </PageFrame>
  )
}
