// What an edit of terms will change, as the server has tried it.
import { Stack, Text, Title } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useWords } from '../../words/use-words.tsx'

export type Preview = Reply<'PUT /merchants/:merNo'>

export function Changes({ preview: { changes, fees } }: { readonly preview: Preview }) {
  const { merchants } = useWords()
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {merchants.changes}
      </Title>
      {changes.length === 0 && <Text>{merchants.noChange}</Text>}
      {changes.map(({ name, before, after }) => (
        <Text key={name} className="mono" size="sm">
          {`${name}: ${inWords(before)} → ${inWords(after)}`}
        </Text>
      ))}
      {fees.map(({ method, currency, before, after }) => (
        <Text key={method}>{merchants.feeEffect(method, before, after, currency)}</Text>
      ))}
    </Stack>
  )
}

function inWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
