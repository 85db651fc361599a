// The registration of a company. A mailed link confirms the address. Then an operator approves the company.
import { Anchor, NativeSelect, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { send } from '../../api/send.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import type { Session } from '../../shell/me.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { Card } from './card.tsx'
import { countriesIn } from './countries.ts'
import { MailSent } from './mail-sent.tsx'

export function RegisterPage({ session }: { readonly session: Session }) {
  const { language, locale } = useLanguage()
  const signIn = useWords(signInWords)
  const [isSent, setIsSent] = useState(false)
  const first = { company: '', contact: '', email: '', website: '', country: '' }
  const form = useForm(first, async (body) => {
    await send('POST /registration', { body: { ...body, language } })
    setIsSent(true)
  })
  return (
    <Card session={session} title={signIn.registerTitle}>
      {isSent ? (
        <MailSent title={signIn.registered} hint={signIn.registeredHint} mode={session.mode} />
      ) : (
        <>
          <Title order={1} size="h3">
            {signIn.registerTitle}
          </Title>
          <FormFrame form={form} action={signIn.registerAction} fullWidth>
            <TextInput label={signIn.company} autoComplete="organization" {...form.field('company')} />
            <TextInput label={signIn.contact} autoComplete="name" {...form.field('contact')} />
            <TextInput type="email" label={signIn.email} autoComplete="email" {...form.field('email')} />
            <TextInput
              label={signIn.website}
              description={signIn.websiteHint}
              autoComplete="url"
              {...form.field('website')}
            />
            <NativeSelect
              label={signIn.country}
              autoComplete="country"
              data={[{ value: '', label: '' }, ...countriesIn(locale)]}
              {...form.field('country')}
            />
          </FormFrame>
        </>
      )}
      <Anchor component={Link} href="/" size="sm">
        {signIn.back}
      </Anchor>
    </Card>
  )
}
