// How channels responded in the last hour. The table has only channels that were called or are paused.
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { operationsWords } from '../../words/operations.ts'
import { useWords } from '../../words/use-words.tsx'

type Channel = Reply<'GET /operations'>['channels'][number]

/** If more than this share of a channel's calls failed or had an unknown outcome, the table marks the channel. */
const BAD_SHARE = 0.05

export function ChannelHealth({ of }: { readonly of: readonly Channel[] }) {
  const operations = useWords(operationsWords)
  const shown = of.filter(({ calls, isPaused }) => calls > 0 || isPaused)
  if (shown.length === 0)
    return (
      <Text c="dimmed">
        {operations.noCalls}{' '}
        <Anchor component={Link} underline="always" href="/channels">
          {operations.allChannels}
        </Anchor>
      </Text>
    )
  return (
    <PlainTable label={operations.channels}>
      <thead>
        <tr>
          <th scope="col">{operations.channel}</th>
          <th scope="col" className="at-end">
            {operations.calls}
          </th>
          <th scope="col" className="at-end">
            {operations.mean}
          </th>
          <th scope="col">{operations.health}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((channel) => (
          <tr key={channel.name}>
            <th scope="row">
              <Anchor component={Link} href="/channels" size="sm">
                {channel.name}
              </Anchor>
            </th>
            <td className="at-end">{channel.calls}</td>
            <td className="at-end">{channel.meanMs === null ? '–' : `${channel.meanMs} ms`}</td>
            <td>
              <Health of={channel} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

function Health({ of: { isPaused, calls, failed, unknown } }: { readonly of: Channel }) {
  const operations = useWords(operationsWords)
  if (isPaused) return <StateLabel tone="waiting">{operations.paused}</StateLabel>
  const bad = failed + unknown
  if (bad === 0) return <StateLabel tone="done">{operations.answers}</StateLabel>
  const tone = bad > calls * BAD_SHARE ? 'error' : 'waiting'
  return <StateLabel tone={tone}>{operations.unclear(bad)}</StateLabel>
}
