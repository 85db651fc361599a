// The reference lists that operators can change while the gateway runs: banks, and reasons of chargebacks.
import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { useCall, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useMay } from '../../shell/me.tsx'
import { type ReferenceWords, referenceWords } from '../../words/reference.ts'
import { useWords } from '../../words/use-words.tsx'
import { EditItem, type ItemEdit } from './edit-item.tsx'
import type { Item } from './item-changes.tsx'
import { RemoveItem } from './remove-item.tsx'

const FIRST = 'banks/per'

export function ReferencePage() {
  const reference = useWords(referenceWords)
  const mayEdit = useMay()('platform.edit')
  const filters = useFilters(['search'])
  const chosen = useFilters(['list'])
  const list = chosen.values.list ?? FIRST
  const { search } = filters.values
  const all = useCall('GET /reference-lists', {})
  const items = useList('GET /reference-items', { query: { list, ...(search !== undefined && { search }) } })
  const [edit, setEdit] = useState<ItemEdit>()
  const [removed, setRemoved] = useState<Item>()
  const current = all.data?.lists.find((one) => one.list === list)
  const hasBic = current?.hasBic === true
  const data = (all.data?.lists ?? [{ list }]).map(({ list: value }) => {
    return { value, label: reference.lists[value] ?? value }
  })
  return (
    <PageFrame
      title={reference.title}
      hint={reference.hint}
      actions={mayEdit && <Button onClick={() => setEdit({ list, hasBic })}>{reference.add}</Button>}
    >
      <Group align="flex-end" gap="md">
        <NativeSelect
          label={reference.list}
          data={data}
          value={list}
          onChange={({ currentTarget: { value } }) => {
            filters.clear()
            chosen.set({ list: value })
          }}
        />
        <FilterBar filters={filters} of={[{ kind: 'text', name: 'search', label: reference.search }]} />
      </Group>
      <Text size="sm" c="dimmed">
        {current === undefined ? ' ' : reference.about(current.items, current.version)}
      </Text>
      <DataTable
        label={reference.lists[list] ?? list}
        list={items}
        columns={columnsOf(
          reference,
          hasBic,
          mayEdit ? (item) => setEdit({ list, hasBic, item }) : undefined,
        )}
        rowKey={({ code }) => code}
        empty={<EmptyState title={reference.nothing} hint={reference.nothingHint} />}
      />
      {edit !== undefined && (
        <EditItem
          of={edit}
          close={() => setEdit(undefined)}
          remove={(item) => {
            setEdit(undefined)
            setRemoved(item)
          }}
        />
      )}
      {removed !== undefined && <RemoveItem list={list} item={removed} close={() => setRemoved(undefined)} />}
    </PageFrame>
  )
}

function columnsOf(
  words: ReferenceWords,
  hasBic: boolean,
  edit: ((item: Item) => void) | undefined,
): readonly Column<Item>[] {
  const bic: Column<Item> = {
    id: 'bic',
    head: words.bic,
    cell: (item) => <span className="mono">{item.bic}</span>,
    width: '140px',
    wideOnly: true,
  }
  const button: Column<Item> = {
    id: 'edit',
    head: '',
    cell: (item) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${words.edit} ${item.name}`}
        onClick={() => edit?.(item)}
      >
        {words.edit}
      </Button>
    ),
    align: 'end',
    width: '90px',
  }
  return [
    { id: 'code', head: words.code, cell: ({ code }) => <span className="mono">{code}</span>, width: '90px' },
    { id: 'name', head: words.name, cell: ({ name }) => <span className="wraps">{name}</span> },
    ...(hasBic ? [bic] : []),
    ...(edit === undefined ? [] : [button]),
  ]
}
