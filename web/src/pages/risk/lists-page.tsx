import { Button } from '@mantine/core'
import { useState } from 'react'
import { type RowOf, useList, useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useMay } from '../../shell/me.tsx'
import { type RiskWords, riskWords } from '../../words/risk.ts'
import { useWords } from '../../words/use-words.tsx'
import { AddEntry } from './add-entry.tsx'
import { kindOf, kinds, listOf, lists } from './names.ts'

type Entry = RowOf<'GET /risk/entries'>

export function ListsPage() {
  const risk = useWords(riskWords)
  const mayEdit = useMay()('risk.edit')
  const filters = useFilters(['list', 'kind', 'search'])
  const [list, kind] = [listOf(filters.values.list), kindOf(filters.values.kind)]
  const { search } = filters.values
  const entries = useList('GET /risk/entries', {
    query: {
      ...(list !== undefined && { list }),
      ...(kind !== undefined && { kind }),
      ...(search !== undefined && { search }),
    },
  })
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<Entry>()
  return (
    <PageFrame
      title={risk.lists}
      hint={risk.listsHint}
      actions={mayEdit && <Button onClick={() => setIsAdding(true)}>{risk.add}</Button>}
    >
      <FilterBar
        filters={filters}
        of={[
          { kind: 'choice', name: 'list', label: risk.list, choices: choicesOf(lists, risk.listNames) },
          { kind: 'choice', name: 'kind', label: risk.kind, choices: choicesOf(kinds, risk.kinds) },
          { kind: 'text', name: 'search', label: risk.search },
        ]}
      />
      <DataTable
        label={risk.lists}
        list={entries}
        columns={columnsOf(risk, mayEdit ? setRemoved : undefined)}
        rowKey={({ entryId }) => entryId}
        empty={
          filters.isEmpty ? (
            <EmptyState title={risk.noEntries} hint={risk.noEntriesHint} />
          ) : (
            <EmptyState title={risk.nothingFound} hint={risk.nothingFoundHint} />
          )
        }
      />
      {isAdding && <AddEntry close={() => setIsAdding(false)} />}
      {removed !== undefined && <RemoveEntry entry={removed} close={() => setRemoved(undefined)} />}
    </PageFrame>
  )
}

function choicesOf<Name extends string>(names: readonly Name[], words: Readonly<Record<Name, string>>) {
  return names.map((value) => ({ value, label: words[value] }))
}

function columnsOf(risk: RiskWords, remove: ((entry: Entry) => void) | undefined): readonly Column<Entry>[] {
  const button: Column<Entry> = {
    id: 'remove',
    head: '',
    cell: (entry) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${risk.remove} ${entry.shown}`}
        onClick={() => remove?.(entry)}
      >
        {risk.remove}
      </Button>
    ),
    align: 'end',
    width: '110px',
  }
  return [
    {
      id: 'entry',
      head: risk.entry,
      cell: ({ shown }) => <span className="mono">{shown}</span>,
    },
    {
      id: 'list',
      head: risk.list,
      cell: ({ list }) => (
        <StateLabel tone={list === 'block' ? 'error' : 'done'}>{risk.listNames[list]}</StateLabel>
      ),
      width: '100px',
    },
    { id: 'kind', head: risk.kind, cell: ({ kind }) => risk.kinds[kind], width: '100px', wideOnly: true },
    {
      id: 'merchant',
      head: risk.merchant,
      cell: ({ merNo }) => (merNo === 0 ? risk.everyMerchant : merNo),
      width: '140px',
      wideOnly: true,
    },
    { id: 'until', head: risk.until, cell: (entry) => <Until entry={entry} />, wideOnly: true },
    { id: 'reason', head: risk.reason, cell: ({ reason }) => reason, wideOnly: true },
    { id: 'by', head: risk.addedBy, cell: ({ createdBy }) => createdBy, wideOnly: true },
    ...(remove === undefined ? [] : [button]),
  ]
}

function Until({ entry: { expiresAt, isExpired } }: { readonly entry: Entry }) {
  const risk = useWords(riskWords)
  if (expiresAt === null) return risk.always
  return isExpired ? <StateLabel tone="neutral">{risk.expired}</StateLabel> : <Moment at={expiresAt} />
}

function RemoveEntry({
  entry: { entryId, shown },
  close,
}: {
  readonly entry: Entry
  readonly close: () => void
}) {
  const risk = useWords(riskWords)
  const send = useSend('POST /risk/entries/:entryId/remove')
  return (
    <ConfirmDialog
      title={risk.removeTitle(shown)}
      action={risk.remove}
      danger
      needsReason
      close={close}
      run={(reason) => send({ params: { entryId }, body: { reason } })}
    />
  )
}
