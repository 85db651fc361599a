// One bulk refund, before or after it has run: its effect on each order, and the button that starts it.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money, MoneyList } from '../../parts/money.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { TableFrame } from '../../parts/table-frame.tsx'
import { bulkRefundsWords } from '../../words/bulk-refunds.ts'
import { fieldTextWords } from '../../words/field-text.ts'
import { useWords } from '../../words/use-words.tsx'
import { isZero } from '../orders/order-facts.tsx'

type Shown = Reply<'GET /bulk-refunds/:bulkId'>
type Row = Shown['rows'][number]
type State = Shown['bulk']['state']

const tones: Readonly<Record<State, Tone>> = {
  checked: 'waiting',
  running: 'waiting',
  done: 'done',
  cancelled: 'neutral',
}

const rowTones: Readonly<Record<Row['state'], Tone>> = {
  ready: 'waiting',
  refused: 'error',
  accepted: 'done',
  failed: 'error',
}

const REFRESH_MS = 1_500

export function BulkPanel({ bulkId, back }: { readonly bulkId: string; readonly back: string }) {
  const words = useWords(bulkRefundsWords)
  const bulk = useCall('GET /bulk-refunds/:bulkId', { params: { bulkId } }, { refetchInterval: REFRESH_MS })
  return (
    <SidePanel title={words.title} back={back} wide>
      <Loaded query={bulk} lines={10}>
        {(shown) => <Content shown={shown} back={back} />}
      </Loaded>
    </SidePanel>
  )
}

function Content({ shown: { bulk, rows }, back }: { readonly shown: Shown; readonly back: string }) {
  const words = useWords(bulkRefundsWords)
  const [, goTo] = useLocation()
  const [isStarting, setIsStarting] = useState(false)
  const start = useSend('POST /bulk-refunds/:bulkId/start')
  const discard = useSend('DELETE /bulk-refunds/:bulkId')
  const { bulkId, version, counts } = bulk
  return (
    <Stack gap="lg">
      <Facts
        of={[
          [words.state, <BulkState key="state" state={bulk.state} />],
          [words.reason, bulk.reason],
          [words.by, bulk.email],
          [words.createdAt, <Moment key="at" at={bulk.createdAt} />],
          [words.total, bulk.totals.length === 0 ? null : <MoneyList key="total" of={bulk.totals} />],
          [words.ready, counts.ready || null],
          [words.accepted, counts.accepted || null],
          [words.refused, counts.refused || null],
          [words.failed, counts.failed || null],
        ]}
      />
      {bulk.state === 'checked' && !bulk.isOwn && <Text>{words.startedByChecker}</Text>}
      {bulk.state === 'checked' && (
        <Group gap="sm">
          {bulk.isOwn && (
            <Button color="red" disabled={counts.ready === 0} onClick={() => setIsStarting(true)}>
              {words.start(counts.ready)}
            </Button>
          )}
          <ActionButton
            run={async () => {
              await discard({ params: { bulkId } })
              goTo(back)
            }}
          >
            {words.cancel}
          </ActionButton>
        </Group>
      )}
      {isStarting && (
        <ConfirmDialog
          title={words.startTitle}
          action={words.start(counts.ready)}
          danger
          close={() => setIsStarting(false)}
          run={() => start({ params: { bulkId }, body: { version } })}
        >
          <Text>{words.startHint}</Text>
        </ConfirmDialog>
      )}
      <RowTable rows={rows} />
    </Stack>
  )
}

function RowTable({ rows }: { readonly rows: readonly Row[] }) {
  const words = useWords(bulkRefundsWords)
  const fieldText = useWords(fieldTextWords)
  return (
    <TableFrame label={words.title}>
      <table className="data-table" aria-label={words.title}>
        <thead>
          <tr>
            <th scope="col">{words.order}</th>
            <th scope="col">{words.state}</th>
            <th scope="col" className="at-end">
              {words.amount}
            </th>
            <th scope="col">{words.message}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rowNo, number, tradeNo, money, state, message }) => (
            <tr key={rowNo}>
              <td>
                {tradeNo === null ? (
                  number
                ) : (
                  <Anchor component={Link} href={`/order/${tradeNo}`}>
                    {number}
                  </Anchor>
                )}
              </td>
              <td>
                <StateLabel tone={rowTones[state]}>{words.rowStates[state]}</StateLabel>
              </td>
              <td className="at-end">{money !== null && !isZero(money) && <Money value={money} />}</td>
              <td>{fieldText(message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

export function BulkState({ state }: { readonly state: State }) {
  const words = useWords(bulkRefundsWords)
  return <StateLabel tone={tones[state]}>{words.states[state]}</StateLabel>
}
