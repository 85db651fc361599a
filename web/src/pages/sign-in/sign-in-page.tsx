import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Session } from '../../shell/me.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'
import { Card } from './card.tsx'
import { SignInSteps } from './sign-in-steps.tsx'

type Props = { readonly session: Session; readonly goOn: () => Promise<void> }

export function SignInPage({ session, goOn }: Props) {
  const signIn = useWords(signInWords)
  return (
    <Card session={session} title={signIn.title}>
      <SignInSteps session={session} goOn={goOn} title={signIn.title} />
      {session.me === undefined && (
        <Stack gap="xs" align="flex-start">
          <Anchor component={Link} href="/forgotten" size="sm">
            {signIn.forgotten}
          </Anchor>
          {session.registration && (
            <Anchor component={Link} href="/register" size="sm">
              {signIn.register}
            </Anchor>
          )}
          {session.mode === 'sandbox' && (
            <Text size="sm" c="dimmed">
              {signIn.demoHint}
            </Text>
          )}
        </Stack>
      )}
    </Card>
  )
}
