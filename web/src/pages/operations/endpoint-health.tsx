// A table of how the servers of merchants answered the notifications of the last day. The first column links to these
// notifications.
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { Moment } from '../../parts/moment.tsx'
import { plainCause } from '../../parts/plain-cause.ts'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { fieldTextWords } from '../../words/field-text.ts'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'
import { useRate } from '../overview/use-rate.ts'

type Endpoint = Reply<'GET /operations'>['endpoints'][number]

type Props = {
  readonly of: readonly Endpoint[]
  readonly label: string
  /** True if the endpoints belong to several merchants. The table then shows the numbers of the merchants. */
  readonly ofMany?: boolean
}

/** True for a server that acknowledged fewer than half of the attempts. */
export function isFailing({ acknowledged, attempts }: Endpoint): boolean {
  return 2 * acknowledged < attempts
}

export function EndpointHealth({ of, label, ofMany = false }: Props) {
  const overview = useWords(overviewWords)
  const reasonOf = useWords(fieldTextWords)
  const rate = useRate()
  if (of.length === 0) return <Text c="dimmed">{overview.noEndpoints}</Text>
  const pathOf = ({ merNo }: Endpoint) =>
    ofMany ? `/merchant-notifications?merNo=${merNo}` : '/developers/notifications'
  return (
    <PlainTable label={label}>
      <thead>
        <tr>
          <th scope="col">{overview.server}</th>
          {ofMany && <th scope="col">{overview.merchant}</th>}
          <th scope="col">{overview.acknowledged}</th>
          <th scope="col" className="at-end">
            {overview.attempts}
          </th>
          <th scope="col">{overview.lastAnswer}</th>
        </tr>
      </thead>
      <tbody>
        {of.map((one) => (
          <tr key={`${one.merNo} ${one.origin}`}>
            <th scope="row">
              <Anchor component={Link} href={pathOf(one)} size="sm">
                {one.origin}
              </Anchor>
            </th>
            {ofMany && <td>{one.merNo}</td>}
            <td>
              <StateLabel tone={toneOf(one)}>
                {rate(one.acknowledged, one.attempts - one.acknowledged)}
              </StateLabel>
            </td>
            <td className="at-end">{one.attempts}</td>
            <td className="wraps">
              <div style={{ minInlineSize: 240 }}>
                {one.error === null ? one.status : reasonOf(plainCause(one.error))}
                <Text size="sm" c="dimmed">
                  <Moment at={one.lastAt} />
                </Text>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

function toneOf(one: Endpoint): Tone {
  if (one.acknowledged === one.attempts) return 'done'
  return isFailing(one) ? 'error' : 'waiting'
}
