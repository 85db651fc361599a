// Requests a link to set a new password. The response is the same whether or not there is an account.
import { Anchor, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { send } from '../../api/send.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import type { Session } from '../../shell/me.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'
import { Card } from './card.tsx'
import { MailSent } from './mail-sent.tsx'

export function ForgottenPage({ session }: { readonly session: Session }) {
  const signIn = useWords(signInWords)
  const [isSent, setIsSent] = useState(false)
  const form = useForm({ email: '' }, async (body) => {
    await send('POST /account/forgotten', { body })
    setIsSent(true)
  })
  return (
    <Card session={session} title={signIn.forgottenTitle}>
      {isSent ? (
        <MailSent title={signIn.linkSent} hint={signIn.linkSentHint} mode={session.mode} />
      ) : (
        <>
          <Title order={1} size="h3">
            {signIn.forgottenTitle}
          </Title>
          <Text c="dimmed">{signIn.forgottenHint}</Text>
          <FormFrame form={form} action={signIn.sendLink} fullWidth>
            <TextInput type="email" label={signIn.email} autoComplete="username" {...form.field('email')} />
          </FormFrame>
        </>
      )}
      <Anchor component={Link} href="/" size="sm">
        {signIn.back}
      </Anchor>
    </Card>
  )
}
