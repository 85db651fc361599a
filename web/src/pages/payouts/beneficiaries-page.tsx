import { Button, Group, Modal } from '@mantine/core'
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
import { partsWords } from '../../words/parts.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { AccountText } from './account-text.tsx'
import { BeneficiaryForm } from './beneficiary-form.tsx'

type Beneficiary = RowOf<'GET /beneficiaries'>

export function BeneficiariesPage() {
  const payouts = useWords(payoutsWords)
  const parts = useWords(partsWords)
  const all = useList('GET /beneficiaries', {})
  const filters = useFilters(['name'])
  const part = filters.values.name?.toLowerCase() ?? ''
  // The server sends all beneficiaries at once, so they are filtered in the browser.
  const list = { ...all, rows: all.rows?.filter(({ label }) => label.toLowerCase().includes(part)) }
  const remove = useSend('DELETE /beneficiaries/:beneficiaryId')
  const mayEdit = useMay()('beneficiaries.edit')
  const [edited, setEdited] = useState<Beneficiary | 'new'>()
  const close = () => setEdited(undefined)
  const [removed, setRemoved] = useState<Beneficiary>()
  const add = <Button onClick={() => setEdited('new')}>{payouts.add}</Button>
  const columns: readonly Column<Beneficiary>[] = [
    { id: 'label', head: payouts.label, cell: ({ label }) => label },
    {
      id: 'kind',
      head: payouts.kind,
      wideOnly: true,
      cell: ({ kind, details }) =>
        kind === 'coin' ? `${details.coin} ${details.network}` : payouts.kinds[kind],
    },
    {
      id: 'account',
      head: payouts.account,
      width: '120px',
      cell: ({ account }) => <AccountText account={account} />,
    },
    {
      id: 'currency',
      head: payouts.currency,
      width: '100px',
      wideOnly: true,
      cell: ({ currency }) => currency,
    },
    {
      id: 'state',
      head: payouts.state,
      cell: ({ isUsable, usableAt }) =>
        isUsable ? (
          <StateLabel tone="done">{payouts.usable}</StateLabel>
        ) : (
          <>
            <StateLabel tone="waiting">{payouts.waits}</StateLabel> <Moment at={usableAt} />
          </>
        ),
    },
  ]
  const changes: Column<Beneficiary> = {
    id: 'changes',
    head: '',
    align: 'end',
    width: '190px',
    cell: (row) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button size="xs" variant="default" onClick={() => setEdited(row)}>
          {payouts.change}
        </Button>
        <Button size="xs" variant="default" onClick={() => setRemoved(row)}>
          {payouts.remove}
        </Button>
      </Group>
    ),
  }
  return (
    <PageFrame
      title={payouts.beneficiaries}
      hint={payouts.beneficiariesHint}
      actions={mayEdit ? add : undefined}
    >
      <FilterBar filters={filters} of={[{ kind: 'text', name: 'name', label: payouts.label }]} />
      <DataTable
        label={payouts.beneficiaries}
        list={list}
        columns={mayEdit ? [...columns, changes] : columns}
        rowKey={({ beneficiaryId }) => beneficiaryId}
        empty={
          filters.isEmpty ? (
            <EmptyState title={payouts.noBeneficiaries} hint={payouts.noBeneficiariesHint}>
              {mayEdit && add}
            </EmptyState>
          ) : (
            <EmptyState title={payouts.noBeneficiaryFound} hint={parts.otherFilter} />
          )
        }
      />
      {edited !== undefined && (
        <Modal
          opened
          size="lg"
          title={edited === 'new' ? payouts.add : payouts.changeTitle}
          onClose={close}
          closeButtonProps={{ 'aria-label': parts.close }}
        >
          <BeneficiaryForm
            saved={edited === 'new' ? undefined : edited}
            close={close}
            reload={() => {
              list.retry()
              close()
            }}
          />
        </Modal>
      )}
      {removed !== undefined && (
        <ConfirmDialog
          title={payouts.removeTitle}
          action={payouts.remove}
          danger
          close={() => setRemoved(undefined)}
          run={() => remove({ params: { beneficiaryId: removed.beneficiaryId } })}
        >
          {`${removed.label} ${removed.account}`}
        </ConfirmDialog>
      )}
    </PageFrame>
  )
}
