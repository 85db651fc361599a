// Says that something was saved, where it was saved, and to screen readers.
import { Text } from '@mantine/core'

export function DoneNote({ children }: { readonly children: string | undefined }) {
  return (
    <Text role="status" size="sm" c="var(--done)">
      {children ?? ''}
    </Text>
  )
}
