// Payouts that the merchant's program sent and that wait for approval by the merchant's staff. The section is hidden
// while there are none.
import { Group } from '@mantine/core'
import { type RowOf, useList, useSend } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { OrderBrief } from '../../parts/order-brief.tsx'
import { Section } from '../../parts/section.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { decideWords } from '../../words/decide.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { PayeeText } from './payee-text.tsx'

type Payout = RowOf<'GET /payouts'>

export function OwnPayouts({ mayDecide }: { readonly mayDecide: boolean }) {
  const payouts = useWords(payoutsWords)
  const decide = useWords(decideWords)
  const list = useList('GET /payouts', { query: { awaits: 'merchant' } })
  const approve = useSend('POST /payouts/own/:tradeNo/approve')
  const reject = useSend('POST /payouts/own/:tradeNo/reject')
  if (list.rows === undefined || list.rows.length === 0) return null
  const columns: readonly Column<Payout>[] = [
    { id: 'beneficiary', head: payouts.beneficiary, cell: (row) => <PayeeText of={row} /> },
    {
      id: 'order',
      head: payouts.orderNo,
      wideOnly: true,
      cell: ({ tradeNo, merOrderNo }) => (
        <OrderBrief tradeNo={tradeNo} merOrderNo={merOrderNo} order={undefined} />
      ),
    },
    {
      id: 'created',
      head: payouts.created,
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    { id: 'amount', head: payouts.amount, align: 'end', cell: ({ money }) => <Money value={money} /> },
  ]
  const decision: Column<Payout> = {
    id: 'decision',
    head: '',
    align: 'end',
    stays: true,
    cell: ({ tradeNo }) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <DecideButton
          label={decide.approve}
          title={decide.approveTitle}
          subject={tradeNo}
          run={(reason) => approve({ params: { tradeNo }, body: { reason } })}
        />
        <DecideButton
          label={decide.reject}
          title={decide.rejectTitle}
          danger
          subject={tradeNo}
          run={(reason) => reject({ params: { tradeNo }, body: { reason } })}
        />
      </Group>
    ),
  }
  return (
    <Section title={payouts.ownWaiting} hint={payouts.ownWaitingHint}>
      <DataTable
        label={payouts.ownWaiting}
        list={list}
        columns={mayDecide ? [...columns, decision] : columns}
        rowKey={({ tradeNo }) => tradeNo}
        empty={<EmptyState title={decide.noApprovals} hint={payouts.ownNothingHint} />}
      />
    </Section>
  )
}
