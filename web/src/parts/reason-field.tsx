// The field for the reason of a change. The reason is stored in the audit log.
import { Textarea, type TextareaProps } from '@mantine/core'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'

export function ReasonField(props: TextareaProps) {
  const parts = useWords(partsWords)
  return (
    <Textarea
      label={parts.reason}
      description={parts.reasonHint}
      autosize
      minRows={2}
      maxLength={500}
      required
      {...props}
    />
  )
}
