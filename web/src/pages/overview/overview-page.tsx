// The start page of a merchant: balances, today beside earlier days, work that waits, and trends.
import { SimpleGrid, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { Attention } from './attention.tsx'
import { Balances } from './balances.tsx'
import { Compared } from './compared.tsx'
import { EndpointHealth } from './endpoint-health.tsx'
import { Declines, Methods } from './figures.tsx'
import { Trends } from './trends.tsx'

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
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
              <Part title={overview.balances}>
                <Balances of={shown.balances} />
              </Part>
              <Part title={overview.attention}>
                <Attention of={shown.attention} />
              </Part>
            </SimpleGrid>
            <Part title={overview.comparison}>
              <Compared of={shown.today} />
            </Part>
            {may('developers.read') && (
              <Part title={overview.endpoints}>
                <EndpointHealth of={shown.endpoints} label={overview.endpoints} />
              </Part>
            )}
            <Trends days={shown.days} from={shown.from} to={shown.to} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
              <Part title={overview.byMethod}>
                <Methods days={shown.days} />
              </Part>
              <Part title={overview.declines}>
                <Declines of={shown.declines} />
              </Part>
            </SimpleGrid>
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
