// The page of a mailed link. The person sets a password and is signed in. The token is in the fragment of the address.
import { Anchor, PasswordInput, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Refusal } from '../../api/refusal.ts'
import { type Reply, send } from '../../api/send.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import type { Session } from '../../shell/me.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'
import { Card } from './card.tsx'

type Subject = Reply<'POST /account/link'>
type Props = { readonly session: Session; readonly goOn: () => Promise<void> }

export function LinkPage({ session, goOn }: Props) {
  const signIn = useWords(signInWords)
  // The state keeps the token, because the token is removed from the address once it is used.
  const [token] = useState(() => location.hash.slice(1))
  const subject = useQuery<Subject, Refusal>({
    queryKey: ['POST /account/link', token],
    queryFn: () => send('POST /account/link', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const code = subject.error instanceof Refusal ? subject.error.code : undefined
  const title = signIn.linkTitles[subject.data?.purpose ?? 'reset']
  return (
    <Card session={session} title={title}>
      {code === 'refused' ? (
        <EmptyState title={signIn.taken} hint={signIn.takenHint}>
          <Anchor component={Link} href="/">
            {signIn.back}
          </Anchor>
        </EmptyState>
      ) : code === 'invalid' || code === 'not-found' ? (
        <EmptyState title={signIn.noLink} hint={signIn.noLinkHint}>
          <Anchor component={Link} href="/forgotten">
            {signIn.forgotten}
          </Anchor>
        </EmptyState>
      ) : (
        <Loaded query={subject}>
          {(found) => <SetPassword subject={found} token={token} goOn={goOn} title={title} />}
        </Loaded>
      )}
    </Card>
  )
}

type FormProps = {
  readonly subject: Subject
  readonly token: string
  readonly title: string
  readonly goOn: () => Promise<void>
}

function SetPassword({ subject, token, title, goOn }: FormProps) {
  const signIn = useWords(signInWords)
  const [, goTo] = useLocation()
  const isNew = subject.purpose === 'invitation'
  const form = useForm({ name: subject.name, password: '' }, async ({ name, password }) => {
    await send('POST /account/link/use', { body: { token, password, ...(isNew && { name }) } })
    goTo('/', { replace: true })
    await goOn()
  })
  return (
    <>
      <div>
        <Title order={1} size="h3">
          {title}
        </Title>
        <Text c="dimmed">{signIn.linkFor(subject.email, subject.company)}</Text>
      </div>
      <FormFrame form={form} action={signIn.setPassword} fullWidth>
        {/* Password managers need the account's name next to the new password. */}
        <input type="hidden" autoComplete="username" value={subject.email} readOnly />
        {isNew && <TextInput label={signIn.name} autoComplete="name" {...form.field('name')} />}
        <PasswordInput
          label={signIn.newPassword}
          description={signIn.newPasswordHint}
          autoComplete="new-password"
          {...form.field('password')}
        />
      </FormFrame>
    </>
  )
}
