// The note that something was saved, which screen readers announce.
import { Text } from '@mantine/core'

export function DoneNote({ children }: { readonly children: string | undefined }) {
  return (
    <Text role="status" size="sm" c="var(--done)">
      {children ?? ''}
    </Text>
  )
}
