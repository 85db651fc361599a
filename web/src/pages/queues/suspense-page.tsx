import { Group } from '@mantine/core'
import { type RowOf, useList, useSend } from '../../api/use-call.ts'
import { AssignButton } from '../../parts/assign-button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { OrderBrief } from '../../parts/order-brief.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { decideWords } from '../../words/decide.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { useOneMerchant } from './use-one-merchant.tsx'

type Held = RowOf<'GET /suspense'>

export function SuspensePage() {
  const decide = useWords(decideWords)
  const parts = useWords(partsWords)
  const { query, isEmpty, bar } = useOneMerchant()
  const list = useList('GET /suspense', { query })
  const accept = useSend('POST /suspense/:suspenseId/accept')
  const giveBack = useSend('POST /suspense/:suspenseId/return')
  const mayDecide = useMay()('suspense.decide')
  const columns: readonly Column<Held>[] = [
    {
      id: 'number',
      head: decide.order,
      cell: ({ tradeNo, suspenseId, order }) => <OrderBrief tradeNo={tradeNo ?? suspenseId} order={order} />,
    },
    { id: 'cause', head: decide.cause, width: '130px', cell: ({ why }) => decide.why[why] },
    { id: 'channel', head: decide.channel, width: '110px', wideOnly: true, cell: ({ channel }) => channel },
    { id: 'reference', head: decide.reference, wideOnly: true, cell: ({ reference }) => reference },
    { id: 'booked', head: decide.since, wideOnly: true, cell: ({ bookedAt }) => <Moment at={bookedAt} /> },
    {
      id: 'amount',
      head: decide.amount,
      align: 'end',
      width: '130px',
      cell: ({ money }) => <Money value={money} />,
    },
  ]
  const withSecond = (hint: string, isNeeded: boolean) => (isNeeded ? `${hint} ${decide.needsSecond}` : hint)
  const decision: Column<Held> = {
    id: 'decision',
    head: '',
    align: 'end',
    stays: true,
    cell: ({ suspenseId, tradeNo, needsSecondPerson }) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {tradeNo === undefined ? (
          <AssignButton suspenseId={suspenseId} />
        ) : (
          <DecideButton
            label={decide.accept}
            title={decide.acceptTitle}
            hint={withSecond(decide.acceptHint, needsSecondPerson)}
            subject={suspenseId}
            run={(reason) => accept({ params: { suspenseId }, body: { reason } })}
          />
        )}
        <DecideButton
          label={decide.giveBack}
          title={decide.giveBackTitle}
          hint={withSecond(decide.giveBackHint, needsSecondPerson)}
          danger
          subject={suspenseId}
          run={(reason) => giveBack({ params: { suspenseId }, body: { reason } })}
        />
      </Group>
    ),
  }
  return (
    <PageFrame title={decide.suspense} hint={decide.suspenseHint}>
      {bar}
      <DataTable
        label={decide.suspense}
        list={list}
        columns={mayDecide ? [...columns, decision] : columns}
        rowKey={({ suspenseId }) => suspenseId}
        empty={
          <EmptyState title={decide.noSuspense} hint={isEmpty ? decide.noSuspenseHint : parts.otherFilter} />
        }
      />
    </PageFrame>
  )
}
