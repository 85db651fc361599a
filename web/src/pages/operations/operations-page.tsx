// The start page of operators: queues that need attention, today and earlier days, channels, last check of the books.
import { Anchor, SimpleGrid, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { operationsWords } from '../../words/operations.ts'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { Compared } from '../overview/compared.tsx'
import { EndpointHealth } from '../overview/endpoint-health.tsx'
import { ChannelHealth } from './channel-health.tsx'
import { LastVerify } from './last-verify.tsx'
import { NeedsAttention } from './needs-attention.tsx'

const REFRESH_MS = 15_000
const FAILED_TODAY = '/orders?state=6&from=today&to=today'

export function OperationsPage() {
  const operations = useWords(operationsWords)
  const overview = useWords(overviewWords)
  const may = useMay()
  const data = useCall('GET /operations', {}, { refetchInterval: REFRESH_MS })
  return (
    <PageFrame title={operations.title}>
      <Loaded query={data} lines={14}>
        {({ queues, disputesDue, today, channels, endpoints, verify }) => (
          <Stack gap="xl">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
              <Part title={overview.attention}>
                <NeedsAttention queues={queues} disputesDue={disputesDue} />
              </Part>
              <Part title={operations.channels}>
                <ChannelHealth of={channels} />
                <Title order={2} size="h4" mt="xl" mb="sm">
                  {operations.verify}
                </Title>
                <LastVerify of={verify} />
              </Part>
            </SimpleGrid>
            <Part title={overview.endpointsOfAll}>
              <EndpointHealth of={endpoints} label={overview.endpointsOfAll} ofMany />
            </Part>
            <Part title={operations.today}>
              <Compared of={today} />
              {may('orders.read') && (
                <Anchor component={Link} href={FAILED_TODAY} size="sm" mt="sm" display="inline-block">
                  {operations.failedToday}
                </Anchor>
              )}
            </Part>
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section style={{ minInlineSize: 0 }}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}
