// The work that waits for operators. Each queue has a tile with a link to its page.
import { SimpleGrid } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { queuesWords } from '../../words/queues.ts'
import { useWords } from '../../words/use-words.tsx'
import { queuePaths } from './queue-paths.ts'

type Counts = Reply<'GET /queues'>

const REFRESH_MS = 15_000

export function QueuesPage() {
  const queues = useWords(queuesWords)
  const counts = useCall('GET /queues', {}, { refetchInterval: REFRESH_MS })
  return (
    <PageFrame title={queues.title} hint={queues.hint}>
      <Loaded query={counts}>
        {(found) => (
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
            {namesOf(found).map((name) => (
              <Link key={name} href={queuePaths[name]} className="tile" data-waits={found[name] > 0}>
                <span className="tile-number">{found[name]}</span>
                <span>{queues.of[name]}</span>
              </Link>
            ))}
          </SimpleGrid>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** Returns the names of the queues. Queues that are not empty come first. */
function namesOf(counts: Counts): (keyof Counts)[] {
  const names = Object.keys(queuePaths) as (keyof Counts)[]
  return names.toSorted((one, other) => Number(counts[other] > 0) - Number(counts[one] > 0))
}
