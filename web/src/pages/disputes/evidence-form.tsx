import { FileInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { readBase64 } from '../../parts/read-base64.ts'
import { useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'

/** A note and perhaps a file against an open dispute. */
export function EvidenceForm({ tradeNo }: { readonly tradeNo: string }) {
  const { cases, parts } = useWords()
  const add = useSend('POST /disputes/:tradeNo/evidence')
  const [file, setFile] = useState<File | null>(null)
  const form = useForm({ note: '' }, async ({ note }) => {
    const given = file === null ? {} : { file: { name: file.name, content: await readBase64(file) } }
    await add({ params: { tradeNo }, body: { note, ...given } })
    form.reset()
    setFile(null)
  })
  return (
    <FormFrame form={form} action={cases.addEvidence}>
      <Textarea label={cases.note} autosize minRows={2} maxLength={4000} required {...form.field('note')} />
      <FileInput
        label={cases.file}
        placeholder={parts.chooseFile}
        clearable
        value={file}
        onChange={setFile}
        error={form.problemAt('file')}
      />
    </FormFrame>
  )
}
