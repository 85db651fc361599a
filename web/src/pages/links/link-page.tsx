import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'wouter'
import { useCall, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { linksWords } from '../../words/links.ts'
import { ordersWords } from '../../words/orders.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { LinkOrders } from './link-orders.tsx'
import { LinkShare } from './link-share.tsx'
import { LinkAmount, LinkStatus, type PaymentLink } from './link-status.tsx'
import { StopLink } from './stop-link.tsx'

export function LinkPage() {
  const links = useWords(linksWords)
  const { linkId } = useParams<{ linkId: string }>()
  const found = useCall('GET /links/:linkId', { params: { linkId } })
  return (
    <Loaded query={found} lines={12}>
      {({ link, results }) => (
        <PageFrame
          title={link.title}
          actions={
            <>
              <Switch link={link} />
              <StopLink link={link} />
            </>
          }
        >
          <Stack gap="xl">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
              <Stack gap="xl">
                <LinkFacts link={link} />
                <Section title={links.results}>
                  <Facts
                    of={[
                      [links.ordersMade, results.orders],
                      [links.ordersOpen, results.open],
                      [links.ordersPaid, results.paid],
                      [links.paidSum, <Money key="sum" value={results.paidSum} />],
                    ]}
                  />
                </Section>
              </Stack>
              <LinkShare link={link} />
            </SimpleGrid>
            <LinkOrders linkId={link.linkId} />
          </Stack>
        </PageFrame>
      )}
    </Loaded>
  )
}

function LinkFacts({ link }: { readonly link: PaymentLink }) {
  const links = useWords(linksWords)
  const orders = useWords(ordersWords)
  const { locale } = useLanguage()
  const { method, expiresAt, language } = link
  const names = new Intl.DisplayNames([locale], { type: 'language' })
  return (
    <Facts
      of={[
        [links.status, <LinkStatus key="status" status={link.status} />],
        [links.amount, <LinkAmount key="amount" link={link} />],
        [links.uses, links.usesOf[link.uses]],
        [links.method, method === undefined ? links.anyMethod : (orders.methods[method] ?? method)],
        [links.language, language === '' ? links.anyLanguage : names.of(language)],
        [links.expires, expiresAt && <Moment key="expires" at={expiresAt} />],
        [links.reference, link.reference],
        [links.notifyUrl, link.notifyUrl],
        [links.by, link.createdBy],
        [links.created, <Moment key="created" at={link.createdAt} />],
      ]}
    />
  )
}

/** Switches a link off and on. Hidden for paid, expired and stopped links. Only operators may resume a stopped link. */
function Switch({ link: { linkId, status } }: { readonly link: PaymentLink }) {
  const links = useWords(linksWords)
  const send = useSend('PUT /links/:linkId/state')
  const mayEdit = useMay()('links.edit')
  const [isAsking, setIsAsking] = useState(false)
  if (!mayEdit || status === 'paid' || status === 'expired' || status === 'stopped') return null
  if (status === 'off')
    return (
      <ActionButton run={() => send({ params: { linkId }, body: { state: 'active' } })}>
        {links.switchOn}
      </ActionButton>
    )
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {links.switchOff}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={links.switchOffTitle}
          action={links.switchOff}
          danger
          close={() => setIsAsking(false)}
          run={() => send({ params: { linkId }, body: { state: 'off' } })}
        >
          {links.switchOffHint}
        </ConfirmDialog>
      )}
    </>
  )
}
