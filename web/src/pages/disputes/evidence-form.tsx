import { FileInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { OverProvider } from '../../parts/page-dialog.tsx'
import { readBase64 } from '../../parts/read-base64.ts'
import { isSame, useForm } from '../../parts/use-form.ts'
import { casesWords } from '../../words/cases.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly tradeNo: string; readonly isOpen: boolean; readonly noteId: string }

const EMPTY = { note: '' }

/**
 * The form for a note and a file about an open dispute. If somebody else decides the dispute first, the typed text
 * stays.
 */
export function EvidenceForm({ tradeNo, isOpen, noteId }: Props) {
  const cases = useWords(casesWords)
  const parts = useWords(partsWords)
  const add = useSend('POST /disputes/:tradeNo/evidence')
  const [file, setFile] = useState<File | null>(null)
  const form = useForm(EMPTY, async ({ note }) => {
    const given = file === null ? {} : { file: { name: file.name, content: await readBase64(file) } }
    await add({ params: { tradeNo }, body: { note, ...given } })
    form.reset()
    setFile(null)
  })
  if (!isOpen && file === null && isSame(form.values, EMPTY)) return null
  return (
    <OverProvider value={isOpen ? undefined : { subject: tradeNo }}>
      <FormFrame form={form} action={cases.addEvidence}>
        <Textarea
          id={noteId}
          label={cases.note}
          autosize
          minRows={2}
          maxLength={4000}
          required
          {...form.field('note')}
        />
        <FileInput
          label={cases.file}
          placeholder={parts.chooseFile}
          clearable
          value={file}
          onChange={setFile}
          error={form.problemAt('file')}
        />
      </FormFrame>
    </OverProvider>
  )
}
