// A company that is not approved yet sees so on every page.
import { Alert } from '@mantine/core'
import { useCall } from '../api/use-call.ts'
import { useWords } from '../words/use-words.tsx'
import { isOperator, useMe } from './me.tsx'

export function PendingNote() {
  const { shell } = useWords()
  const { data } = useCall('GET /company', {}, { enabled: !isOperator(useMe()) })
  if (data?.state !== 'pending') return null
  return (
    <Alert color="yellow" title={shell.pending}>
      {shell.pendingHint}
    </Alert>
  )
}
