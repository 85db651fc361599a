// Imported statements of channels, newest first, and the button that imports one.
import { Anchor, Button, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { type RowOf, useCall, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useMay } from '../../shell/me.tsx'
import { type ReconciliationWords, reconciliationWords } from '../../words/reconciliation.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { daysOf } from './days-of.ts'
import { ImportDialog } from './import-dialog.tsx'

type Statement = RowOf<'GET /reconciliation/statements'>
type Run = Reply<'GET /reconciliation/imports'>['runs'][number]

const REFRESH_MS = 2_000

export function ReconciliationPage() {
  const reconciliation = useWords(reconciliationWords)
  const { locale } = useLanguage()
  const may = useMay()
  const [isImporting, setIsImporting] = useState(false)
  const filters = useFilters(['channel'])
  const { channel } = filters.values
  const imports = useCall('GET /reconciliation/imports', {}, { refetchInterval: REFRESH_MS })
  const latest = imports.data?.runs[0]
  const list = useList('GET /reconciliation/statements', { query: channel === undefined ? {} : { channel } })
  const ended = latest?.state === 'running' ? undefined : latest?.runId
  const seen = useRef(ended)
  useEffect(() => {
    if (ended !== seen.current && ended !== undefined) list.retry()
    seen.current = ended
  }, [ended, list.retry])
  const startButton = may('reconciliation.edit') && (
    <Button onClick={() => setIsImporting(true)}>{reconciliation.import}</Button>
  )
  return (
    <PageFrame title={reconciliation.title} hint={reconciliation.hint} actions={startButton}>
      {latest !== undefined && <Progress of={latest} />}
      <FilterBar filters={filters} of={[{ kind: 'text', name: 'channel', label: reconciliation.channel }]} />
      <DataTable
        label={reconciliation.title}
        list={list}
        columns={columnsOf(reconciliation, locale)}
        rowKey={({ statementId }) => statementId}
        open={({ statementId }) => `/books/reconciliation/${statementId}`}
        empty={<EmptyState title={reconciliation.empty} hint={reconciliation.emptyHint} />}
      />
      {isImporting && <ImportDialog close={() => setIsImporting(false)} />}
    </PageFrame>
  )
}

function Progress({ of: { state, progress, result } }: { readonly of: Run }) {
  const reconciliation = useWords(reconciliationWords)
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  if (state === 'running')
    return (
      <Text role="status">
        <StateLabel tone="waiting">{reconciliation.comparing}</StateLabel>{' '}
        {reconciliation.running(number(progress.done), number(progress.total))}
      </Text>
    )
  if (state === 'failed')
    return (
      <Text role="status">
        <StateLabel tone="error">{reconciliation.failed}</StateLabel> {String(result?.error ?? '')}
      </Text>
    )
  const [lines, matched, different] = [result?.lines, result?.matched, result?.different].map(number)
  const withdrawn = number(result?.withdrawn)
  return (
    <Text role="status">
      <StateLabel tone={different === 0 ? 'done' : 'waiting'}>{String(result?.fileName ?? '')}</StateLabel>{' '}
      {reconciliation.imported(matched ?? 0, lines ?? 0, different ?? 0)}{' '}
      {withdrawn > 0 && `${reconciliation.withdrawnNow(withdrawn)} `}
      <Anchor
        component={Link}
        underline="always"
        href={`/books/reconciliation/${String(result?.statementId)}`}
      >
        {reconciliation.openIt}
      </Anchor>
    </Text>
  )
}

function columnsOf(words: ReconciliationWords, locale: string): readonly Column<Statement>[] {
  return [
    { id: 'file', head: words.file, cell: ({ fileName }) => fileName },
    { id: 'channel', head: words.channel, width: '120px', cell: ({ channel }) => channel },
    {
      id: 'days',
      head: words.days,
      wideOnly: true,
      cell: (row) => daysOf(row, locale) ?? words.noDays,
    },
    { id: 'lines', head: words.lines, align: 'end', width: '80px', wideOnly: true, cell: (row) => row.lines },
    {
      id: 'open',
      head: words.differences,
      width: '170px',
      cell: ({ open, different }) => (
        <StateLabel tone={open > 0 ? 'waiting' : 'done'}>
          {different === 0 ? words.none : open > 0 ? words.openOf(open, different) : words.allClosed}
        </StateLabel>
      ),
    },
    { id: 'by', head: words.by, wideOnly: true, cell: ({ importedBy }) => importedBy },
    {
      id: 'at',
      head: words.at,
      wideOnly: true,
      cell: ({ importedAt }) => <Moment at={importedAt} />,
    },
  ]
}
