// Payouts that wait for an operator's approval, and a link to the payouts in all states.
import { Button } from '@mantine/core'
import { Link } from 'wouter'
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
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { PayeeText } from '../payouts/payee-text.tsx'
import { nameIn } from '../payouts/payouts-page.tsx'
import { ReleaseButtons } from './release-buttons.tsx'
import { useOneMerchant } from './use-one-merchant.tsx'

type Payout = RowOf<'GET /payouts/waiting'>

export function WaitingPayoutsPage() {
  const decide = useWords(decideWords)
  const parts = useWords(partsWords)
  const payouts = useWords(payoutsWords)
  const { query, isEmpty, bar } = useOneMerchant()
  const list = useList('GET /payouts/waiting', { query })
  const approve = useSend('POST /payouts/:tradeNo/approve')
  const reject = useSend('POST /payouts/:tradeNo/reject')
  const columns: readonly Column<Payout>[] = [
    {
      id: 'order',
      head: decide.order,
      cell: ({ tradeNo, merOrderNo }) => (
        <OrderBrief tradeNo={tradeNo} merOrderNo={merOrderNo} order={undefined} />
      ),
    },
    { id: 'merchant', head: decide.merchant, wideOnly: true, cell: ({ merchant }) => merchant },
    { id: 'beneficiary', head: decide.beneficiary, cell: (row) => <PayeeText of={row} /> },
    { id: 'kind', head: payouts.kind, wideOnly: true, cell: ({ kind }) => nameIn(payouts.kinds, kind) },
    {
      id: 'created',
      head: decide.created,
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    { id: 'amount', head: decide.amount, align: 'end', cell: ({ money }) => <Money value={money} /> },
  ]
  const decision: Column<Payout> = {
    id: 'decision',
    head: '',
    align: 'end',
    stays: true,
    cell: ({ tradeNo }) => (
      <ReleaseButtons
        subject={tradeNo}
        approve={(reason) => approve({ params: { tradeNo }, body: { reason } })}
        reject={(body) => reject({ params: { tradeNo }, body })}
      />
    ),
  }
  const may = useMay()
  const mayDecide = may('approvals.decide')
  return (
    <PageFrame
      title={decide.payouts}
      hint={decide.payoutsHint}
      actions={
        may('payouts.read') && (
          <Button component={Link} href="/merchant-payouts" variant="default">
            {decide.allPayouts}
          </Button>
        )
      }
    >
      {bar}
      <DataTable
        label={decide.payouts}
        list={list}
        columns={mayDecide ? [...columns, decision] : columns}
        rowKey={({ tradeNo }) => tradeNo}
        empty={
          <EmptyState title={decide.noPayouts} hint={isEmpty ? decide.payoutsHint : parts.otherFilter} />
        }
      />
    </PageFrame>
  )
}
