// Exports with their progress, and the scheduled exports.
import { Button, Group, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Download } from '../../parts/download.tsx'
import { formatMoment, Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { TableFrame } from '../../parts/table-frame.tsx'
import { exportsWords } from '../../words/exports.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, WithMerchant } from '../developers/chosen-merchant.tsx'
import { filterText } from './filter-text.ts'
import { NewExport } from './new-export.tsx'
import { Schedules } from './schedules.tsx'

type Export = Reply<'GET /exports'>['rows'][number]

const tones: Readonly<Record<Export['state'], Tone>> = { running: 'waiting', done: 'done', failed: 'error' }
const WHILE_RUNNING_MS = 1_500

export function ExportsPage() {
  return <WithMerchant orAll>{(chosen) => <Exports key={chosen.merNo ?? ''} chosen={chosen} />}</WithMerchant>
}

function Exports({ chosen }: { readonly chosen: ChosenMerchant }) {
  const words = useWords(exportsWords)
  const [isRunning, setIsRunning] = useState(true)
  const list = useCall(
    'GET /exports',
    { query: chosen },
    isRunning ? { refetchInterval: WHILE_RUNNING_MS } : {},
  )
  const hasRunning = list.data === undefined || list.data.rows.some(({ state }) => state === 'running')
  if (hasRunning !== isRunning) setIsRunning(hasRunning)
  return (
    <PageFrame title={words.title} hint={words.hint} actions={<NewExport chosen={chosen} />}>
      <Loaded query={list} lines={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={words.empty} hint={words.emptyHint}>
              <Button
                component={Link}
                href={chosen.merNo === undefined ? '/orders' : `/orders?merNo=${chosen.merNo}`}
                variant="default"
              >
                {words.toOrders}
              </Button>
            </EmptyState>
          ) : (
            <ExportTable rows={rows} />
          )
        }
      </Loaded>
      <Stack gap="sm" mt="lg">
        <Title order={2} size="h4">
          {words.schedules}
        </Title>
        <Schedules chosen={chosen} />
      </Stack>
    </PageFrame>
  )
}

function ExportTable({ rows }: { readonly rows: readonly Export[] }) {
  const { language } = useLanguage()
  const exports = useWords(exportsWords)
  const remove = useSend('DELETE /exports/:exportId')
  return (
    <TableFrame label={exports.title}>
      <table className="data-table" aria-label={exports.title}>
        <thead>
          <tr>
            <th scope="col">{exports.createdAt}</th>
            <th scope="col">{exports.list}</th>
            <th scope="col" className="wide-only">
              {exports.filter}
            </th>
            <th scope="col">{exports.state}</th>
            <th scope="col" className="at-end">
              {exports.rows}
            </th>
            <th scope="col" className="wide-only">
              {exports.expiresAt}
            </th>
            <th scope="col" aria-label={exports.download} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.exportId}>
              <td>
                <Moment at={row.createdAt} />
              </td>
              <td>{exports.lists[row.list]}</td>
              <td className="wide-only">{filterText(row, language) || exports.noFilter}</td>
              <td>
                <StateLabel tone={tones[row.state]}>{exports.states[row.state]}</StateLabel>{' '}
                <Progress row={row} />
              </td>
              <td className="at-end">{row.rows}</td>
              <td className="wide-only">
                <Moment at={row.expiresAt} show="date" />
              </td>
              <td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  {row.state === 'done' && (
                    <Download
                      route="GET /exports/:exportId/file"
                      input={{ params: { exportId: row.exportId } }}
                    >
                      {exports.download}
                    </Download>
                  )}
                  <ActionButton variant="subtle" run={() => remove({ params: { exportId: row.exportId } })}>
                    {exports.delete}
                  </ActionButton>
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

/** Shows the day that an export has reached, or the reason why it failed. */
function Progress({ row }: { readonly row: Export }) {
  const words = useWords(exportsWords)
  const { locale } = useLanguage()
  if (row.state === 'failed') return row.problem
  return (
    row.state === 'running' &&
    row.reachedAt !== null &&
    words.reached(formatMoment(row.reachedAt, locale, 'date'))
  )
}
