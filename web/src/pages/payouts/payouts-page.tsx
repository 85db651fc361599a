// The payouts of a merchant, newest first. Operators may also see the payouts of all merchants.
import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ReturnCost } from '../../parts/return-cost.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { decideWords } from '../../words/decide.ts'
import { fieldTextWords } from '../../words/field-text.ts'
import { partsWords } from '../../words/parts.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, WithMerchant } from '../developers/chosen-merchant.tsx'
import { ExportByState } from '../exports/export-button.tsx'
import { AccountText } from './account-text.tsx'

type Payout = RowOf<'GET /payouts'>

export function PayoutsPage() {
  const isForAll = isOperator(useMe())
  const { merNo } = useFilters(['merNo']).values
  if (isForAll && merNo === undefined) return <Payouts chosen={{}} ofAll />
  return <WithMerchant>{(chosen) => <Payouts chosen={chosen} />}</WithMerchant>
}

function Payouts({ chosen, ofAll = false }: { readonly chosen: ChosenMerchant; readonly ofAll?: boolean }) {
  const payouts = useWords(payoutsWords)
  const parts = useWords(partsWords)
  const decide = useWords(decideWords)
  const fieldText = useWords(fieldTextWords)
  const filters = useFilters(ofAll ? ['merNo', 'state'] : ['number', 'state'])
  const { state, number } = filters.values
  const list = useList('GET /payouts', {
    query: { ...chosen, ...(state !== undefined && { state }), ...(number !== undefined && { number }) },
  })
  const may = useMay()
  const mayPay = may('payouts.create')
  const make = (
    <Button component={Link} href="/payouts/new">
      {payouts.make}
    </Button>
  )
  const columns: readonly Column<Payout>[] = [
    { id: 'beneficiary', head: payouts.beneficiary, cell: ({ beneficiary }) => beneficiary },
    {
      id: 'account',
      head: payouts.account,
      width: '130px',
      wideOnly: true,
      cell: ({ account }) => <AccountText account={account} />,
    },
    { id: 'order', head: payouts.orderNo, wideOnly: true, cell: ({ merOrderNo }) => merOrderNo },
    {
      id: 'created',
      head: payouts.created,
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      id: 'state',
      head: payouts.state,
      cell: ({ state: now, message, awaits, returnCost }) => (
        <span title={fieldText(message)}>
          <StateLabel tone={toneOf(now)}>
            {awaits.map((who) => payouts.awaits[who]).join(', ') || nameIn(payouts.states, now)}
          </StateLabel>
          {now === 'failed' && ` ${fieldText(message)}`}
          {returnCost && <ReturnCost value={returnCost} />}
        </span>
      ),
    },
    { id: 'amount', head: payouts.amount, align: 'end', cell: ({ money }) => <Money value={money} /> },
  ]
  const merchant: Column<Payout> = {
    id: 'merchant',
    head: decide.merchant,
    cell: (row) => `${row.merNo} ${row.merchant}`,
  }
  const shown = ofAll ? [merchant, ...columns] : columns
  const transaction: Column<Payout> = {
    id: 'transaction',
    head: payouts.transaction,
    wideOnly: true,
    cell: (row) => <AccountText account={row.transaction ?? ''} />,
  }
  const hasCoin = list.rows?.some((row) => row.transaction !== undefined) === true
  return (
    <PageFrame
      title={payouts.title}
      hint={ofAll ? payouts.ofAllHint : payouts.hint}
      actions={
        <>
          {/* An export of payouts is of one merchant, and has no filter by order number. */}
          {number === undefined && !ofAll && (
            <ExportByState label={payouts.exportThese} list="payouts" state={state} chosen={chosen} />
          )}
          {mayPay && make}
        </>
      }
    >
      <FilterBar
        filters={filters}
        of={[
          // In a list of all merchants there is no filter by order number, because several merchants may use the same
          // number.
          ofAll
            ? { kind: 'text', name: 'merNo', label: decide.merchant }
            : { kind: 'text', name: 'number', label: payouts.orderNo },
          {
            kind: 'choice',
            name: 'state',
            label: payouts.state,
            choices: Object.entries(payouts.states).map(([value, label]) => ({ value, label })),
          },
        ]}
      />
      <DataTable
        label={payouts.title}
        list={list}
        columns={hasCoin ? [...shown, transaction] : shown}
        rowKey={({ tradeNo }) => tradeNo}
        empty={
          filters.isEmpty ? (
            <EmptyState title={payouts.empty} {...(mayPay && { hint: payouts.emptyHint })}>
              {mayPay && make}
            </EmptyState>
          ) : (
            <EmptyState title={payouts.noneFound} hint={parts.otherFilter} />
          )
        }
      />
    </PageFrame>
  )
}

function toneOf(state: string): Tone {
  if (state === 'succeeded') return 'done'
  return state === 'failed' || state === 'returned' ? 'error' : 'waiting'
}

/** Returns the name of a state. If the server is newer and sends an unknown state, returns the state unchanged. */
export function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return names[name] ?? name
}
