// The queues that are not empty, each with its count, the age of its oldest item, and a link to its page.
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { operationsWords } from '../../words/operations.ts'
import { overviewWords } from '../../words/overview.ts'
import { queuesWords } from '../../words/queues.ts'
import { useWords } from '../../words/use-words.tsx'
import { queuePaths } from '../queues/queue-paths.ts'

type Props = Pick<Reply<'GET /operations'>, 'queues' | 'disputesDue'>

export function NeedsAttention({ queues, disputesDue }: Props) {
  const operations = useWords(operationsWords)
  const overview = useWords(overviewWords)
  const words = useWords(queuesWords)
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

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_HOURS = 24

/** Returns a function that writes how long ago a moment was, in minutes, hours or days. */
function useAge(): (since: string) => string {
  const operations = useWords(operationsWords)
  return (since) => {
    const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / MINUTE_MS))
    if (minutes < HOUR_MINUTES) return operations.minutes(minutes)
    const hours = Math.floor(minutes / HOUR_MINUTES)
    return hours < 2 * DAY_HOURS ? operations.hours(hours) : operations.days(Math.floor(hours / DAY_HOURS))
  }
}
