// Bulk refunds of many orders: the list, a form for a new dry run, and one bulk refund in a side panel.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { type List, useCall } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MoneyList } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { isOperator, useMe } from '../../shell/me.tsx'
import { type BulkRefundsWords, bulkRefundsWords } from '../../words/bulk-refunds.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, WithMerchant } from '../developers/chosen-merchant.tsx'
import { BulkPanel, BulkState } from './bulk-panel.tsx'
import { NewBulk } from './new-bulk.tsx'

type Bulk = Reply<'GET /bulk-refunds'>['rows'][number]

export function BulkRefundsPage() {
  const path = isOperator(useMe()) ? '/merchant-bulk-refunds' : '/bulk-refunds'
  return <WithMerchant>{(chosen) => <BulkRefunds chosen={chosen} path={path} />}</WithMerchant>
}

function BulkRefunds({ chosen, path }: { readonly chosen: ChosenMerchant; readonly path: string }) {
  const words = useWords(bulkRefundsWords)
  const { bulkId } = useParams<{ bulkId?: string }>()
  const [isOpen, setIsOpen] = useState(false)
  const { data, error, refetch } = useCall('GET /bulk-refunds', { query: chosen })
  const list: List<Bulk> = {
    rows: data?.rows,
    error,
    isStale: false,
    hasMore: false,
    isLoadingMore: false,
    moreError: null,
    more: () => {},
    retry: () => void refetch(),
  }
  const create = <Button onClick={() => setIsOpen(true)}>{words.create}</Button>
  return (
    <PageFrame title={words.title} hint={words.hint} actions={create}>
      <DataTable
        label={words.title}
        list={list}
        columns={columnsOf(words)}
        rowKey={(bulk) => bulk.bulkId}
        open={(bulk) => `${path}/${bulk.bulkId}`}
        openKey={bulkId}
        empty={<EmptyState title={words.empty} hint={words.emptyHint} />}
      />
      {isOpen && <NewBulk path={path} chosen={chosen} close={() => setIsOpen(false)} />}
      {bulkId !== undefined && <BulkPanel bulkId={bulkId} back={path} />}
    </PageFrame>
  )
}

function columnsOf(words: BulkRefundsWords): readonly Column<Bulk>[] {
  return [
    { id: 'at', head: words.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, width: '180px' },
    { id: 'state', head: words.state, cell: ({ state }) => <BulkState state={state} />, width: '130px' },
    { id: 'reason', head: words.reason, cell: ({ reason }) => reason, wideOnly: true },
    { id: 'by', head: words.by, cell: ({ email }) => email, wideOnly: true },
    {
      id: 'refused',
      head: words.refused,
      cell: ({ counts }) => counts.refused + counts.failed,
      align: 'end',
    },
    {
      id: 'ready',
      head: words.ready,
      cell: ({ counts }) => counts.ready + counts.accepted,
      align: 'end',
      wideOnly: true,
    },
    {
      id: 'total',
      head: words.total,
      cell: ({ totals }) => <MoneyList of={totals} />,
      align: 'end',
    },
  ]
}
