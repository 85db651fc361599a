import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { DoneNote } from '../../parts/done-note.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Section } from '../../parts/section.tsx'
import { useForm } from '../../parts/use-form.ts'
import { accountWords } from '../../words/account.ts'
import { isLanguage, languageIds, languages } from '../../words/language.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'

export function AboutYou({ account: mine }: { readonly account: Reply<'GET /account'> }) {
  const { speak } = useLanguage()
  const account = useWords(accountWords)
  const send = useSend('PUT /account')
  const [isSaved, setIsSaved] = useState(false)
  const form = useForm({ name: mine.name, language: mine.language ?? '' }, async ({ name, language }) => {
    setIsSaved(false)
    const chosen = isLanguage(language) ? language : null
    await send({ body: { name, language: chosen } })
    if (chosen !== null) speak(chosen)
    setIsSaved(true)
  })
  const choices = languageIds.map((id) => ({ value: id, label: languages[id] }))
  return (
    <Section title={account.you}>
      <FormFrame form={form} action={account.save}>
        <TextInput label={account.email} value={mine.email} readOnly />
        <TextInput label={account.name} autoComplete="name" {...form.field('name')} />
        <NativeSelect
          label={account.language}
          data={[{ value: '', label: account.languageOfBrowser }, ...choices]}
          {...form.field('language')}
        />
        <DoneNote>{isSaved ? account.saved : undefined}</DoneNote>
      </FormFrame>
    </Section>
  )
}
