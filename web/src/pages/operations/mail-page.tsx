// Outgoing mail with its state, and the reason if sending failed. The text of a mail is never shown, because it may
// contain a one-time link.
import { Text } from '@mantine/core'
import { type RowOf, useCall, useList, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { operationsWords } from '../../words/operations.ts'
import { useWords } from '../../words/use-words.tsx'

type Mail = RowOf<'GET /mail'>

const tones: Readonly<Record<Mail['state'], Tone>> = { waiting: 'waiting', sent: 'done', failed: 'error' }

export function MailPage() {
  const operations = useWords(operationsWords)
  const settings = useCall('GET /mail/settings', {})
  const list = useList('GET /mail', { query: {} })
  const test = useSend('POST /mail/test')
  const retry = useSend('POST /mail/:mailId/retry')
  const columns: readonly Column<Mail>[] = [
    { id: 'to', head: operations.mailTo, cell: ({ to }) => to },
    { id: 'subject', head: operations.mailSubject, wideOnly: true, cell: ({ subject }) => subject },
    {
      id: 'created',
      head: operations.mailAt,
      width: '170px',
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      id: 'state',
      head: operations.state,
      cell: ({ state, error }) => (
        <span title={error ?? undefined}>
          <StateLabel tone={tones[state]}>{operations.mailStates[state]}</StateLabel>
          {error !== null && ` ${error}`}
        </span>
      ),
    },
    {
      id: 'retry',
      head: '',
      align: 'end',
      width: '130px',
      cell: ({ mailId, state }) =>
        state === 'failed' && (
          <ActionButton size="xs" run={() => retry({ params: { mailId } })}>
            {operations.mailRetry}
          </ActionButton>
        ),
    },
  ]
  return (
    <PageFrame
      title={operations.mail}
      hint={operations.mailHint}
      actions={<ActionButton run={() => test({})}>{operations.mailTest}</ActionButton>}
    >
      <Loaded query={settings} lines={1}>
        {({ transport, from }) => (
          <Text>
            {operations.mailTransports[transport]} {from !== null && operations.mailFrom(from)}
          </Text>
        )}
      </Loaded>
      <DataTable
        label={operations.mail}
        list={list}
        columns={columns}
        rowKey={({ mailId }) => mailId}
        empty={<EmptyState title={operations.noMail} hint={operations.noMailHint} />}
      />
    </PageFrame>
  )
}
