// The start page of a merchant: today's total, the days before, and what needs attention. Below are the currencies, the
// methods, and how the merchant's servers responded to notifications.
import { SimpleGrid, Stack } from '@mantine/core'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Part } from '../../parts/part.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { EndpointHealth } from '../operations/endpoint-health.tsx'
import { Attention } from './attention.tsx'
import { Balances } from './balances.tsx'
import { Compared } from './compared.tsx'
import { DayStory } from './day-story.tsx'
import { Declines, Methods } from './figures.tsx'

const REFRESH_MS = 30_000

export function OverviewPage() {
  const overview = useWords(overviewWords)
  const may = useMay()
  const data = useCall('GET /overview', {}, { refetchInterval: REFRESH_MS })
  return (
    <PageFrame title={overview.title}>
      <Loaded query={data} lines={14}>
        {(shown) => (
          <Stack gap="xl">
            <DayStory of={shown.total} hour={shown.hour} />
            <Part title={overview.attention}>
              <Attention of={shown} />
            </Part>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
              <Part title={overview.currencies}>
                <Compared of={shown.currencies} />
              </Part>
              <Part title={overview.balances}>
                <Balances of={shown.balances} />
              </Part>
              <Part title={overview.byMethod}>
                <Methods of={shown.methods} />
              </Part>
              <Part title={overview.declines}>
                <Declines of={shown.declines} />
              </Part>
            </SimpleGrid>
            {may('developers.read') && (
              <Part title={overview.endpoints}>
                <EndpointHealth of={shown.attention.endpoints} label={overview.endpoints} />
              </Part>
            )}
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}
