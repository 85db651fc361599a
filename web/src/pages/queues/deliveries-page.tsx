// Notifications that are retrying or overdue, by merchant. A row links to the notifications of its merchant. A button
// sends the failed and retrying notifications of all merchants again.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { developersWords } from '../../words/developers.ts'
import { queuesWords } from '../../words/queues.ts'
import { useWords } from '../../words/use-words.tsx'
import { ResendFailed } from '../developers/notification-actions.tsx'

type Row = RowOf<'GET /queues/deliveries'>

export function DeliveriesPage() {
  const queues = useWords(queuesWords)
  const developers = useWords(developersWords)
  const may = useMay()
  const [isResending, setIsResending] = useState(false)
  const list = useList('GET /queues/deliveries', {})
  const columns: readonly Column<Row>[] = [
    { id: 'merchant', head: queues.merchant, cell: ({ merNo }) => merNo },
    { id: 'retrying', head: queues.retrying, align: 'end', cell: ({ retrying }) => retrying },
    { id: 'overdue', head: queues.overdue, align: 'end', cell: ({ overdue }) => overdue },
    { id: 'oldest', head: queues.oldest, cell: ({ oldest }) => <Moment at={oldest} /> },
  ]
  return (
    <PageFrame
      title={queues.deliveries}
      hint={queues.deliveriesHint}
      actions={
        may('notifications.resend') && (
          <Button variant="default" onClick={() => setIsResending(true)}>
            {developers.resendFailed}
          </Button>
        )
      }
    >
      <DataTable
        label={queues.deliveries}
        list={list}
        columns={columns}
        rowKey={({ merNo }) => String(merNo)}
        open={({ merNo, retrying }) =>
          `/merchant-notifications?merNo=${merNo}&state=${retrying > 0 ? 'retrying' : 'pending'}`
        }
        empty={<EmptyState title={queues.noDeliveries} hint={queues.noDeliveriesHint} />}
      />
      {isResending && <ResendFailed chosen={{}} close={() => setIsResending(false)} />}
    </PageFrame>
  )
}
