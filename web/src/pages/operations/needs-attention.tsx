// The queues that are not empty, each with its count, its age and the page where it is worked off.
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { useWords } from '../../words/use-words.tsx'
import { queuePaths } from '../queues/queue-paths.ts'
import type { OperationsData } from './operations-page.tsx'
import { useAge } from './use-age.ts'

type Props = Pick<OperationsData, 'queues' | 'disputesDue'>

export function NeedsAttention({ queues, disputesDue }: Props) {
  const { operations, overview, queues: words } = useWords()
  const age = useAge()
  const names = (Object.keys(queuePaths) as (keyof typeof queuePaths)[]).filter(
    (name) => queues[name].count > 0,
  )
  if (names.length === 0) return <Text c="dimmed">{overview.nothingWaits}</Text>
  return (
    <>
      <PlainTable label={overview.attention}>
        <thead>
          <tr>
            <th scope="col">{operations.what}</th>
            <th scope="col" className="at-end">
              {operations.count}
            </th>
            <th scope="col">{operations.oldest}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const { count, since } = queues[name]
            return (
              <tr key={name}>
                <th scope="row">
                  <Anchor component={Link} href={queuePaths[name]} size="sm">
                    {words.of[name]}
                  </Anchor>
                </th>
                <td className="at-end">{count}</td>
                <td>{since === null ? '–' : <StateLabel tone="waiting">{age(since)}</StateLabel>}</td>
              </tr>
            )
          })}
        </tbody>
      </PlainTable>
      {disputesDue.next !== null && (
        <Text size="sm" mt="sm" c={disputesDue.count > 0 ? 'var(--error)' : 'dimmed'}>
          {operations.disputesDue(disputesDue.count)} {operations.nextDeadline}{' '}
          <Moment at={disputesDue.next} show="date" />
        </Text>
      )}
    </>
  )
}
