import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { DoneNote } from '../../parts/done-note.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Section } from '../../parts/section.tsx'
import { useForm } from '../../parts/use-form.ts'
import { accountWords } from '../../words/account.ts'
import { useWords } from '../../words/use-words.tsx'

const empty = { current: '', password: '' }

export function ChangePassword({ email }: { readonly email: string }) {
  const account = useWords(accountWords)
  const send = useSend('PUT /account/password')
  const [isChanged, setIsChanged] = useState(false)
  const form = useForm(empty, async (body) => {
    setIsChanged(false)
    await send({ body })
    form.reset(empty)
    setIsChanged(true)
  })
  return (
    <Section title={account.password}>
      <FormFrame form={form} action={account.changePassword}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput label={account.current} autoComplete="current-password" {...form.field('current')} />
        <PasswordInput
          label={account.newPassword}
          description={account.newPasswordHint}
          autoComplete="new-password"
          {...form.field('password')}
        />
        <DoneNote>{isChanged ? account.passwordChanged : undefined}</DoneNote>
      </FormFrame>
    </Section>
  )
}
