import { Alert } from '@mantine/core'
import { useParams } from 'wouter'
import { type RowOf, useCall, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { endOfDay, startOfDay } from '../../parts/days.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { plainCause } from '../../parts/plain-cause.ts'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import type { DevelopersWords } from '../../words/developers.ts'
import { type FieldText, fieldTextWords } from '../../words/field-text.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, usePath, WithMerchant } from './chosen-merchant.tsx'
import { NotificationActions } from './notification-actions.tsx'
import { NotificationPanel, NotificationState } from './notification-panel.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

type Row = RowOf<'GET /notifications'>

const states = ['pending', 'retrying', 'delivered', 'failed'] as const
const events = ['payment', 'payout', 'review', 'refund', 'chargeback'] as const

export function NotificationsPage() {
  const developers = useDeveloperWords()
  return (
    <WithMerchant>
      {(chosen) => (
        <PageFrame
          title={developers.notifications}
          hint={developers.notificationsHint}
          actions={<Actions chosen={chosen} />}
        >
          <Notifications chosen={chosen} />
        </PageFrame>
      )}
    </WithMerchant>
  )
}

function Actions({ chosen }: { readonly chosen: ChosenMerchant }) {
  const first = useCall('GET /notifications', { query: chosen })
  return first.data === undefined ? null : (
    <NotificationActions chosen={chosen} isPaused={first.data.paused} />
  )
}

function Notifications({ chosen }: { readonly chosen: ChosenMerchant }) {
  const developers = useDeveloperWords()
  const reasonOf = useWords(fieldTextWords)
  const path = usePath('notifications')
  const { notificationId } = useParams<{ notificationId?: string }>()
  const filters = useFilters(['state', 'event', 'tradeNo', 'from', 'until'])
  const { tradeNo, from, until } = filters.values
  const state = states.find((one) => one === filters.values.state)
  const event = events.find((one) => one === filters.values.event)
  const [first, end] = [startOfDay(from), endOfDay(until)]
  const query = {
    ...chosen,
    ...(state !== undefined && { state }),
    ...(event !== undefined && { event }),
    ...(tradeNo !== undefined && { tradeNo }),
    ...(first !== undefined && { from: first }),
    ...(end !== undefined && { until: end }),
  }
  const list = useList('GET /notifications', { query })
  const { data } = useCall('GET /notifications', { query: chosen })
  return (
    <>
      {data?.paused === true && <Alert color="yellow">{developers.paused}</Alert>}
      <FilterBar
        filters={filters}
        of={[
          { kind: 'period', from: 'from', until: 'until', label: developers.period },
          {
            kind: 'choice',
            name: 'state',
            label: developers.state,
            choices: states.map((value) => ({ value, label: developers.states[value] })),
          },
          {
            kind: 'choice',
            name: 'event',
            label: developers.event,
            choices: events.map((value) => ({ value, label: developers.events[value] })),
          },
          { kind: 'text', name: 'tradeNo', label: developers.trade },
        ]}
      />
      <DataTable
        label={developers.notifications}
        list={list}
        columns={columnsOf(developers, reasonOf)}
        rowKey={(row) => row.notificationId}
        open={(row) => `${path}/${row.notificationId}`}
        openKey={notificationId}
        empty={
          filters.isEmpty ? (
            <EmptyState title={developers.noNotifications} hint={developers.noNotificationsHint} />
          ) : (
            <EmptyState title={developers.nothingFound} hint={developers.nothingFoundHint} />
          )
        }
      />
      {notificationId !== undefined && <NotificationPanel notificationId={notificationId} back={path} />}
    </>
  )
}

function columnsOf(words: DevelopersWords, reasonOf: FieldText): readonly Column<Row>[] {
  return [
    { id: 'at', head: words.at, cell: ({ madeAt }) => <Moment at={madeAt} show="seconds" />, width: '190px' },
    { id: 'event', head: words.event, cell: ({ event }) => words.events[event], width: '110px' },
    {
      id: 'state',
      head: words.state,
      cell: ({ state }) => <NotificationState state={state} />,
      width: '130px',
    },
    {
      id: 'trade',
      head: words.trade,
      cell: ({ tradeNo }) => <span className="mono">{tradeNo}</span>,
      wideOnly: true,
    },
    {
      id: 'attempts',
      head: words.attempts,
      cell: ({ attempts }) => attempts,
      align: 'end',
      width: '90px',
      wideOnly: true,
    },
    {
      id: 'next',
      head: words.nextAt,
      cell: ({ state, dueAt }) => state === 'retrying' && dueAt !== null && <Moment at={dueAt} />,
      width: '150px',
      wideOnly: true,
    },
    {
      id: 'last',
      head: words.lastAnswer,
      cell: ({ status, error }) => (error === null ? status : reasonOf(plainCause(error))),
      wideOnly: true,
    },
  ]
}
