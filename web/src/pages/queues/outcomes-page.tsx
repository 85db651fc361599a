// Payments, refunds and payouts whose channel does not say whether the money moved.
import { Group } from '@mantine/core'
import { type RowOf, useList, useSend } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import { useOneMerchant } from './use-one-merchant.tsx'

type Outcome = RowOf<'GET /outcomes'>

export function OutcomesPage() {
  const { decide, parts } = useWords()
  const { query, isEmpty, bar } = useOneMerchant()
  const list = useList('GET /outcomes', { query })
  const send = useSend('POST /outcomes/:tradeNo/decide')
  const mayDecide = useMay()('outcomes.decide')
  const record = ({ tradeNo, refundNo }: Outcome, as: 'succeeded' | 'failed') => {
    return (reason: string) =>
      send({ params: { tradeNo }, body: { as, reason, ...(refundNo !== undefined && { refundNo }) } })
  }
  const hint = ({ needsSecondPerson }: Outcome) =>
    needsSecondPerson ? `${decide.finalHint} ${decide.needsSecond}` : decide.finalHint
  const columns: readonly Column<Outcome>[] = [
    { id: 'kind', head: decide.what, width: '90px', cell: ({ kind }) => decide.of[kind] },
    {
      id: 'number',
      head: decide.number,
      cell: ({ tradeNo, refundNo }) => <span className="mono">{refundNo ?? tradeNo}</span>,
    },
    { id: 'merchant', head: decide.merchant, width: '100px', wideOnly: true, cell: ({ merNo }) => merNo },
    { id: 'channel', head: decide.channel, wideOnly: true, cell: ({ channel }) => channel },
    {
      id: 'since',
      head: decide.since,
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      id: 'amount',
      head: decide.amount,
      align: 'end',
      width: '130px',
      cell: ({ money }) => <Money value={money} />,
    },
  ]
  const decision: Column<Outcome> = {
    id: 'decision',
    head: '',
    align: 'end',
    width: '210px',
    cell: (row) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <DecideButton
          label={decide.succeeded}
          title={decide.succeededTitle}
          hint={hint(row)}
          subject={row.refundNo ?? row.tradeNo}
          run={record(row, 'succeeded')}
        />
        <DecideButton
          label={decide.failed}
          title={decide.failedTitle}
          hint={hint(row)}
          danger
          subject={row.refundNo ?? row.tradeNo}
          run={record(row, 'failed')}
        />
      </Group>
    ),
  }
  return (
    <PageFrame title={decide.outcomes} hint={decide.outcomesHint}>
      {bar}
      <DataTable
        label={decide.outcomes}
        list={list}
        columns={mayDecide ? [...columns, decision] : columns}
        rowKey={({ tradeNo, refundNo }) => refundNo ?? tradeNo}
        empty={
          <EmptyState title={decide.noOutcomes} hint={isEmpty ? decide.noOutcomesHint : parts.otherFilter} />
        }
      />
    </PageFrame>
  )
}
