import { FileInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { OverProvider } from '../../parts/page-dialog.tsx'
import { readBase64 } from '../../parts/read-base64.ts'
import { isSame, useForm } from '../../parts/use-form.ts'
import { type CasesWords, casesWords } from '../../words/cases.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

type InfoName = keyof CasesWords['info']
type Proof = keyof CasesWords['proof']

type Props = { readonly tradeNo: string; readonly isOpen: boolean }

/**
 * The form for facts about the payer and the purpose, and for a file. If somebody else acts first, the typed text
 * stays.
 */
export function AnswerForm({ tradeNo, isOpen }: Props) {
  const cases = useWords(casesWords)
  const parts = useWords(partsWords)
  const names = Object.keys(cases.info) as InfoName[]
  const upload = useSend('POST /reviews/:tradeNo/files')
  const answer = useSend('POST /reviews/:tradeNo/answer')
  const [file, setFile] = useState<File | null>(null)
  const empty: Record<InfoName | 'proves', string> = {
    ...(Object.fromEntries(names.map((name) => [name, ''])) as Record<InfoName, string>),
    proves: 'transactionProofDocuments',
  }
  const form = useForm(empty, async (values) => {
    const params = { tradeNo }
    const given = names.map((name) => [name, values[name].trim()] as const)
    const info = Object.fromEntries(given.filter(([, value]) => value !== ''))
    const files =
      file === null
        ? []
        : [
            {
              ...(await upload({
                params,
                body: { type: suffixOf(file), content: await readBase64(file) },
              })),
              proves: proofOf(values.proves, cases.proof),
            },
          ]
    await answer({ params, body: { info, files } })
    form.reset()
    setFile(null)
  })
  if (!isOpen && file === null && isSame(form.values, empty)) return null
  return (
    <OverProvider value={isOpen ? undefined : { subject: tradeNo }}>
      <FormFrame form={form} action={cases.send}>
        {names.map((name) => (
          <TextInput key={name} label={cases.info[name]} maxLength={255} {...form.field(name)} />
        ))}
        <FileInput
          label={cases.chooseFile}
          placeholder={parts.chooseFile}
          accept=".pdf,.png,.jpg,.jpeg"
          clearable
          value={file}
          onChange={setFile}
          error={form.problemAt('file')}
        />
        {file !== null && (
          <Select
            label={cases.proves}
            allowDeselect={false}
            data={Object.entries(cases.proof).map(([value, label]) => ({ value, label }))}
            {...form.field('proves')}
          />
        )}
      </FormFrame>
    </OverProvider>
  )
}

function suffixOf({ name }: File): string {
  const suffix = name.slice(name.lastIndexOf('.')).toLowerCase()
  return suffix === '.jpeg' ? '.jpg' : suffix.slice(0, 5)
}

function proofOf(text: string, proofs: CasesWords['proof']): Proof {
  const names = Object.keys(proofs) as Proof[]
  return names.find((name) => name === text) ?? 'transactionProofDocuments'
}
