// The page before the pages.
import { Group, Stack, Title } from '@mantine/core'
import { Brand } from '../../shell/brand.tsx'
import { Environment } from '../../shell/environment.tsx'
import type { Session } from '../../shell/me.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { useWords } from '../../words/use-words.tsx'
import { SignInForm } from './sign-in-form.tsx'

export function SignInPage({ session, done }: { readonly session: Session; readonly done: () => void }) {
  const { signIn } = useWords()
  useTitle(signIn.title)
  return (
    <main className="sign-in">
      <Stack className="sign-in-card" gap="lg">
        <Group justify="space-between">
          <Brand />
          <Environment mode={session.mode} />
        </Group>
        <Title order={1} size="h3">
          {signIn.title}
        </Title>
        <SignInForm done={done} />
      </Stack>
    </main>
  )
}
