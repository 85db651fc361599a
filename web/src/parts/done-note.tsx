// The note that something was saved. Screen readers announce the note.
import { Text } from '@mantine/core'

export function DoneNote({ children }: { readonly children: string | undefined }) {
  return (
    <Text role="status" size="sm" c="var(--done)">
      {children ?? ''}
    </Text>
  )
}
