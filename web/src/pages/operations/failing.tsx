// The channels and merchants whose success rate dropped, the largest drop first.
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { operationsWords } from '../../words/operations.ts'
import { useWords } from '../../words/use-words.tsx'
import { useRate } from '../overview/use-rate.ts'

type Failing = Reply<'GET /operations/payments'>['failing'][number]

export function Failing({ of }: { readonly of: readonly Failing[] }) {
  const operations = useWords(operationsWords)
  const rate = useRate()
  if (of.length === 0) return <Text c="dimmed">{operations.noneFailing}</Text>
  return (
    <PlainTable label={operations.failing}>
      <thead>
        <tr>
          <th scope="col">{operations.who}</th>
          <th scope="col">{operations.rateNow}</th>
          <th scope="col" className="at-end">
            {operations.rateUsual}
          </th>
          <th scope="col" className="at-end">
            {operations.decidedNow}
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map((one) => {
          const { now, usual } = one
          const isChannel = one.kind === 'channel'
          return (
            <tr key={`${one.kind} ${isChannel ? one.name : one.merNo}`}>
              <th scope="row">
                <Anchor component={Link} href={isChannel ? '/channels' : `/merchants/${one.merNo}`} size="sm">
                  {isChannel
                    ? operations.failingChannel(one.name)
                    : operations.failingMerchant(one.name, one.merNo)}
                </Anchor>
              </th>
              <td>
                <StateLabel tone="error">{rate(now.paid, now.failed)}</StateLabel>
              </td>
              <td className="at-end">{rate(usual.paid, usual.failed)}</td>
              <td className="at-end">{now.paid + now.failed}</td>
            </tr>
          )
        })}
      </tbody>
    </PlainTable>
  )
}
