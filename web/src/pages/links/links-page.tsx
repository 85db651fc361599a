// A merchant's payment links, newest first, and a form to make one.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import { LinkForm } from './link-form.tsx'
import { LinkAmount, LinkStatus } from './link-status.tsx'

export function LinksPage() {
  const { links, parts } = useWords()
  const [, goTo] = useLocation()
  const list = useList('GET /links', {})
  const mayEdit = useMay()('links.edit')
  const [isMaking, setIsMaking] = useState(false)
  const make = <Button onClick={() => setIsMaking(true)}>{links.make}</Button>
  const columns: readonly Column<RowOf<'GET /links'>>[] = [
    { id: 'title', head: links.name, cell: ({ title }) => title },
    { id: 'reference', head: links.reference, wideOnly: true, cell: ({ reference }) => reference },
    {
      id: 'uses',
      head: links.uses,
      width: '120px',
      wideOnly: true,
      cell: ({ uses }) => links.usesOf[uses],
    },
    {
      id: 'created',
      head: links.created,
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      id: 'status',
      head: links.status,
      width: '130px',
      cell: ({ status }) => <LinkStatus status={status} />,
    },
    { id: 'amount', head: links.amount, align: 'end', cell: (link) => <LinkAmount link={link} /> },
  ]
  return (
    <PageFrame title={links.title} hint={links.hint} actions={mayEdit ? make : undefined}>
      <DataTable
        label={links.title}
        list={list}
        columns={columns}
        rowKey={({ linkId }) => linkId}
        open={({ linkId }) => `/links/${linkId}`}
        empty={
          <EmptyState title={links.empty} hint={links.emptyHint}>
            {mayEdit && make}
          </EmptyState>
        }
      />
      {isMaking && (
        <Modal
          opened
          size="lg"
          title={links.make}
          onClose={() => setIsMaking(false)}
          closeButtonProps={{ 'aria-label': parts.close }}
        >
          <LinkForm cancel={() => setIsMaking(false)} made={({ linkId }) => goTo(`/links/${linkId}`)} />
        </Modal>
      )}
    </PageFrame>
  )
}
