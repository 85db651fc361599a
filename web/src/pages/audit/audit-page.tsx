// The audit log: a list, its filters in the page's address, and one line in a side panel.
import { useParams } from 'wouter'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { endOfDay, startOfDay } from '../../parts/days.ts'
import { Download } from '../../parts/download.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMe } from '../../shell/me.tsx'
import { type AuditWords, auditWords } from '../../words/audit.ts'
import { useWords } from '../../words/use-words.tsx'
import { AuditPanel } from './audit-panel.tsx'

type Line = RowOf<'GET /audit'>

const PATH = '/settings/audit'

export function AuditPage() {
  const audit = useWords(auditWords)
  const isForAll = isOperator(useMe())
  const { entryId } = useParams<{ entryId?: string }>()
  const filters = useFilters(['merNo', 'actor', 'action', 'subject', 'from', 'until'])
  const { merNo, actor, action, subject, from, until } = filters.values
  const query = defined({
    merNo: merNo === undefined ? undefined : Number(merNo),
    actor,
    action,
    subject,
    from: startOfDay(from),
    until: endOfDay(until),
  })
  const list = useList('GET /audit', { query })
  return (
    <PageFrame
      title={audit.title}
      hint={audit.hint}
      actions={
        <Download route="GET /audit.csv" input={{ query }}>
          {audit.exportAll}
        </Download>
      }
    >
      <FilterBar
        filters={filters}
        of={[
          { kind: 'period', from: 'from', until: 'until', label: audit.period },
          ...(isForAll ? ([{ kind: 'merchant', name: 'merNo', label: audit.merchant }] as const) : []),
          { kind: 'text', name: 'actor', label: audit.actor },
          { kind: 'text', name: 'action', label: audit.action },
          { kind: 'text', name: 'subject', label: audit.subject },
        ]}
      />
      <DataTable
        label={audit.title}
        list={list}
        columns={columnsOf(audit, isForAll)}
        rowKey={(line) => line.entryId}
        open={(line) => `${PATH}/${line.entryId}`}
        openKey={entryId}
        empty={
          filters.isEmpty ? (
            <EmptyState title={audit.empty} hint={audit.emptyHint} />
          ) : (
            <EmptyState title={audit.nothingFound} hint={audit.nothingFoundHint} />
          )
        }
      />
      {entryId !== undefined && <AuditPanel entryId={entryId} back={PATH} />}
    </PageFrame>
  )
}

function columnsOf(audit: AuditWords, isForAll: boolean): readonly Column<Line>[] {
  const merchant: Column<Line> = {
    id: 'merchant',
    head: audit.merchant,
    cell: ({ merNo }) => (merNo === 0 ? audit.platform : merNo),
    width: '110px',
    wideOnly: true,
  }
  return [
    { id: 'at', head: audit.at, cell: ({ at }) => <Moment at={at} show="seconds" />, width: '190px' },
    ...(isForAll ? [merchant] : []),
    { id: 'actor', head: audit.actor, cell: ({ actor }) => actor, wideOnly: true },
    { id: 'action', head: audit.action, cell: ({ action }) => <span className="mono">{action}</span> },
    { id: 'subject', head: audit.subject, cell: ({ subject }) => subject, wideOnly: true },
    { id: 'reason', head: audit.reason, cell: ({ reason }) => reason, wideOnly: true },
  ]
}

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

function defined<Values extends object>(values: Values): Defined<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<Values>
}
