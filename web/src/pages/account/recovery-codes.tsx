import { Alert, Stack, Title } from '@mantine/core'
import { CodeView } from '../../parts/code-view.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'

export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const signIn = useWords(signInWords)
  return (
    <Stack>
      <Title order={2} size="h4">
        {signIn.codes}
      </Title>
      <Alert color="yellow">{signIn.codesHint}</Alert>
      <CodeView label={signIn.codes} value={codes.join('\n')} />
    </Stack>
  )
}
