// The payment links of a merchant. Operators choose a merchant, and cannot make links.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { linksWords } from '../../words/links.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, WithMerchant } from '../developers/chosen-merchant.tsx'
import { LinkForm } from './link-form.tsx'
import { LinkAmount, LinkStatus } from './link-status.tsx'

export function LinksPage() {
  return <WithMerchant>{(chosen) => <Links chosen={chosen} />}</WithMerchant>
}

function Links({ chosen }: { readonly chosen: ChosenMerchant }) {
  const links = useWords(linksWords)
  const parts = useWords(partsWords)
  const [, goTo] = useLocation()
  const path = isOperator(useMe()) ? '/merchant-links' : '/links'
  const list = useList('GET /links', { query: chosen })
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
        open={({ linkId }) => `${path}/${linkId}`}
        empty={
          <EmptyState title={links.empty} {...(mayEdit && { hint: links.emptyHint })}>
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
          <LinkForm cancel={() => setIsMaking(false)} made={({ linkId }) => goTo(`${path}/${linkId}`)} />
        </Modal>
      )}
    </PageFrame>
  )
}
