// The effects of a change to a reference list. The server computed them in a dry run.
import { Stack, Text, Title } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import type { RowOf } from '../../api/use-call.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { referenceWords } from '../../words/reference.ts'
import { useWords } from '../../words/use-words.tsx'

export type Item = RowOf<'GET /reference-items'>
export type ItemChange = Reply<'POST /reference-items'>['changes'][number]

export function ItemChanges({ of }: { readonly of: readonly ItemChange[] }) {
  const merchants = useWords(merchantsWords)
  const reference = useWords(referenceWords)
  const inWords = (value: unknown) => {
    if (typeof value === 'boolean') return value ? reference.yes : reference.no
    return value === '' ? '–' : String(value)
  }
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {merchants.changes}
      </Title>
      {of.length === 0 && <Text>{merchants.noChange}</Text>}
      {of.map(({ name, before, after }) => (
        <Text key={name} size="sm">
          {`${reference.fields[name] ?? name}: ${inWords(before)} → ${inWords(after)}`}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {reference.atOnce}
      </Text>
    </Stack>
  )
}
