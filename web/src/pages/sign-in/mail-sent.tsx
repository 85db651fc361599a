// The note that a mail was sent. In sandbox, it links to the mails.
import { Anchor, Stack, Text, Title } from '@mantine/core'
import type { Session } from '../../shell/me.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly title: string; readonly hint: string; readonly mode: Session['mode'] }

export function MailSent({ title, hint, mode }: Props) {
  const signIn = useWords(signInWords)
  return (
    <Stack gap="xs" role="status">
      <Title order={1} size="h3">
        {title}
      </Title>
      <Text>{hint}</Text>
      {mode === 'sandbox' && <Anchor href="/sandbox/mail">{signIn.sandboxMail}</Anchor>}
    </Stack>
  )
}
