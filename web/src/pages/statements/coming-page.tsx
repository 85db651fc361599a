// The days on which unsettled money becomes available and on which reserves are released.
import { Stack, Text, Title } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall } from '../../api/use-call.ts'
import { DueTable } from '../../parts/due-table.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { statementsWords } from '../../words/statements.ts'
import { useWords } from '../../words/use-words.tsx'

type Due = Reply<'GET /settlements/coming'>['settlements'][number]

export function ComingPage() {
  const statements = useWords(statementsWords)
  const found = useCall('GET /settlements/coming', {})
  return (
    <PageFrame title={statements.coming} hint={statements.comingHint}>
      <Loaded query={found} lines={8}>
        {({ settlements, reserves }) => (
          <Stack gap="lg">
            <DuePart title={statements.settlements} when={statements.day} rows={settlements} />
            <DuePart title={statements.reserves} when={statements.month} rows={reserves} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

type Props = { readonly title: string; readonly when: string; readonly rows: readonly Due[] }

function DuePart({ title, when, rows }: Props) {
  const statements = useWords(statementsWords)
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{statements.noneDue}</Text>
      ) : (
        <DueTable label={title} when={when} rows={rows} />
      )}
    </Stack>
  )
}
