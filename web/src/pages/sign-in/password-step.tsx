import { PasswordInput, TextInput } from '@mantine/core'
import { send } from '../../api/send.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly email?: string | undefined; readonly done: () => Promise<void> }

export function PasswordStep({ email = '', done }: Props) {
  const signIn = useWords(signInWords)
  const form = useForm({ email, password: '' }, async (body) => {
    await send('POST /session', { body })
    await done()
  })
  const focus = { 'data-autofocus': true, autoFocus: true } as const
  return (
    <FormFrame form={form} action={signIn.action} fullWidth>
      <TextInput
        type="email"
        label={signIn.email}
        autoComplete="username"
        {...(email === '' && focus)}
        {...form.field('email')}
      />
      <PasswordInput
        label={signIn.password}
        autoComplete="current-password"
        {...(email !== '' && focus)}
        {...form.field('password')}
      />
    </FormFrame>
  )
}
