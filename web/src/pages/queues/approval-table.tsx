// Approvals that wait or are decided, for operators and for a merchant's staff.
import { Anchor, Group, SegmentedControl, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { List, RowOf } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MoneyList } from '../../parts/money.tsx'
import { OrderBrief } from '../../parts/order-brief.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import type { Filters } from '../../parts/use-filters.ts'
import { useMay } from '../../shell/me.tsx'
import { type DecideWords, decideWords } from '../../words/decide.ts'
import type { Language } from '../../words/language.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { PayeeText } from '../payouts/payee-text.tsx'
import { describeApproval, pathOfApproval, totalsIn } from './describe-approval.ts'

export type Approval = RowOf<'GET /approvals'>

const tones: Readonly<Record<Approval['state'], Tone>> = {
  waiting: 'waiting',
  approved: 'done',
  rejected: 'neutral',
  expired: 'neutral',
}

type Props = {
  readonly list: List<Approval>
  readonly filters: Filters<'state'>
  readonly showsMerchant: boolean
  readonly mayDecide: boolean
  readonly approve: (approvalId: string, reason: string) => Promise<unknown>
  readonly reject: (approvalId: string, reason: string) => Promise<unknown>
}

export function ApprovalTable(props: Props) {
  const { list, filters, showsMerchant, mayDecide, approve, reject } = props
  const { language } = useLanguage()
  const decide = useWords(decideWords)
  const may = useMay()
  const isWaiting = filters.values.state !== 'decided'
  const decision: Column<Approval> = {
    id: 'decision',
    head: '',
    align: 'end',
    stays: true,
    cell: (row) =>
      row.state === 'waiting' &&
      (row.kind !== 'owner' || may('users.owner')) && (
        <Group gap="xs" justify="flex-end">
          {!row.isOwn && (
            <DecideButton
              label={decide.approve}
              title={decide.approveTitle}
              hint={describeApproval(row, language)}
              subject={row.approvalId}
              run={(reason) => approve(row.approvalId, reason)}
            />
          )}
          <DecideButton
            label={row.isOwn ? decide.takeBack : decide.reject}
            title={decide.rejectTitle}
            danger
            subject={row.approvalId}
            run={(reason) => reject(row.approvalId, reason)}
          />
        </Group>
      ),
  }
  return (
    <>
      <SegmentedControl
        value={filters.values.state ?? 'waiting'}
        onChange={(state) => filters.set({ state: state === 'waiting' ? undefined : state })}
        data={[
          { value: 'waiting', label: decide.waiting },
          { value: 'decided', label: decide.decided },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      <DataTable
        label={decide.approvals}
        list={list}
        columns={[
          ...columnsOf(language, showsMerchant),
          ...(isWaiting ? (mayDecide ? [decision] : []) : [stateOf(decide)]),
        ]}
        rowKey={(row) => row.approvalId}
        empty={<EmptyState title={decide.noApprovals} hint={decide.noApprovalsHint} />}
      />
    </>
  )
}

function columnsOf(language: Language, showsMerchant: boolean): readonly Column<Approval>[] {
  const decide = decideWords[language]
  const merchant: Column<Approval> = {
    id: 'merchant',
    head: decide.merchant,
    cell: ({ merNo }) => merNo,
    width: '100px',
    wideOnly: true,
  }
  return [
    {
      id: 'what',
      head: decide.what,
      cell: (row) => {
        const path = pathOfApproval(row)
        const kind = decide.kinds[row.kind]
        return (
          <div className="two-lines">
            {path === undefined ? (
              kind
            ) : (
              <Anchor component={Link} underline="always" href={path} size="sm">
                {kind}
              </Anchor>
            )}
            <Text size="xs" c="dimmed">
              {describeApproval(row, language)}
            </Text>
            {row.order !== undefined && <OrderBrief tradeNo={row.order.tradeNo} order={row.order} />}
            <Payees of={row} />
          </div>
        )
      },
    },
    ...(showsMerchant ? [merchant] : []),
    {
      id: 'amount',
      head: decide.amount,
      align: 'end',
      cell: ({ money, action }) => <MoneyList of={money === undefined ? totalsIn(action) : [money]} />,
    },
    {
      id: 'asked',
      head: decide.askedBy,
      wideOnly: true,
      cell: ({ askedBy, askedAt, isOwn }) => (
        <div>
          {isOwn ? decide.own : askedBy}
          <Text size="xs" c="dimmed">
            <Moment at={askedAt} />
          </Text>
        </div>
      ),
    },
    {
      id: 'reason',
      head: decide.reason,
      wideOnly: true,
      cell: ({ reason }) => <div className="two-lines">{reason}</div>,
    },
  ]
}

/** Shows the first payees of the payouts. The page of the run shows all payees. */
function Payees({ of: { payees = [], action } }: { readonly of: Approval }) {
  const payouts = useWords(payoutsWords)
  const more = Number(action.lines ?? payees.length) - payees.length
  return (
    <>
      {payees.map((payee) => (
        <PayeeText
          key={payee.merOrderNo ?? payee.account}
          of={payee}
          money={Number(action.lines) > 1 ? payee.money : undefined}
        />
      ))}
      {payees.length > 0 && more > 0 && <Text size="xs">{payouts.morePayees(more)}</Text>}
    </>
  )
}

function stateOf(decide: DecideWords): Column<Approval> {
  return {
    id: 'state',
    head: decide.state,
    width: '120px',
    cell: ({ state }) => <StateLabel tone={tones[state]}>{decide.states[state]}</StateLabel>,
  }
}
