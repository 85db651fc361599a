// When unsettled money becomes available, and when reserves are released.
import { Stack, Text, Title } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall } from '../../api/use-call.ts'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/use-words.tsx'

type Due = Reply<'GET /settlements/coming'>['settlements'][number]

export function ComingPage() {
  const { statements } = useWords()
  const found = useCall('GET /settlements/coming', {})
  return (
    <PageFrame title={statements.coming} hint={statements.comingHint}>
      <Loaded query={found} lines={8}>
        {({ settlements, reserves }) => (
          <Stack gap="lg">
            <DueTable title={statements.settlements} when={statements.day} rows={settlements} />
            <DueTable title={statements.reserves} when={statements.month} rows={reserves} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

type Props = { readonly title: string; readonly when: string; readonly rows: readonly Due[] }

function DueTable({ title, when, rows }: Props) {
  const { statements } = useWords()
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{statements.noneDue}</Text>
      ) : (
        <div className="table-frame">
          <table className="data-table" aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{when}</th>
                <th scope="col" className="at-end">
                  {statements.orders}
                </th>
                <th scope="col" className="at-end">
                  {statements.amount}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ day, orders, money }) => (
                <tr key={`${day} ${money.currency}`}>
                  <td>{day}</td>
                  <td className="at-end">{orders}</td>
                  <td className="at-end">
                    <Money value={money} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Stack>
  )
}
