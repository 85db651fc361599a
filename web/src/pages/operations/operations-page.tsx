// The start page of operators: merchants and channels that fail now, today's total and the days before for all
// merchants, and what needs attention. Below are the health of channels and endpoints, the currencies, and the last
// check of the books.
import { Anchor, SimpleGrid, Stack } from '@mantine/core'
import { Link } from 'wouter'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Part } from '../../parts/part.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { operationsWords } from '../../words/operations.ts'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { Compared } from '../overview/compared.tsx'
import { DayStory } from '../overview/day-story.tsx'
import { ChannelHealth } from './channel-health.tsx'
import { EndpointHealth } from './endpoint-health.tsx'
import { Failing } from './failing.tsx'
import { LastVerify } from './last-verify.tsx'
import { NeedsAttention } from './needs-attention.tsx'

const REFRESH_MS = 15_000
const PAYMENTS_REFRESH_MS = 60_000
const FAILED_TODAY = '/orders?state=6&from=today&to=today'

export function OperationsPage() {
  const operations = useWords(operationsWords)
  const overview = useWords(overviewWords)
  const may = useMay()
  const payments = useCall('GET /operations/payments', {}, { refetchInterval: PAYMENTS_REFRESH_MS })
  const data = useCall('GET /operations', {}, { refetchInterval: REFRESH_MS })
  return (
    <PageFrame title={operations.title}>
      <Stack gap="xl">
        <Loaded query={payments} lines={14}>
          {({ failing, total }) => (
            <Stack gap="xl">
              <Part title={operations.failing}>
                <Failing of={failing} />
                {may('orders.read') && (
                  <Anchor component={Link} href={FAILED_TODAY} size="sm" mt="sm" display="inline-block">
                    {operations.failedToday}
                  </Anchor>
                )}
              </Part>
              <DayStory of={total} />
            </Stack>
          )}
        </Loaded>
        <Loaded query={data} lines={14}>
          {({ queues, disputesDue, channels, endpoints, verify }) => (
            <Stack gap="xl">
              <Part title={overview.attention}>
                <NeedsAttention queues={queues} disputesDue={disputesDue} />
              </Part>
              <Part title={operations.channels}>
                <ChannelHealth of={channels} />
              </Part>
              <Part title={overview.endpointsOfAll}>
                <EndpointHealth of={endpoints} label={overview.endpointsOfAll} ofMany />
              </Part>
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
                {payments.data !== undefined && (
                  <Part title={overview.currencies}>
                    <Compared of={payments.data.currencies} />
                  </Part>
                )}
                <Part title={operations.verify}>
                  <LastVerify of={verify} />
                </Part>
              </SimpleGrid>
            </Stack>
          )}
        </Loaded>
      </Stack>
    </PageFrame>
  )
}
