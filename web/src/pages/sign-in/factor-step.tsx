// The second step of the sign-in: a code, a recovery code or a passkey. People without a second factor confirm with
// their password.
import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { askForPasskey, NoPasskey, passkeysWorkHere } from '../../api/passkeys.ts'
import { Refusal } from '../../api/refusal.ts'
import { send } from '../../api/send.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useProblemText } from '../../parts/problem-text.ts'
import { useForm } from '../../parts/use-form.ts'
import type { Me, Session } from '../../shell/me.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = {
  readonly factors: Me['factors']
  readonly passkeyOrigin: Session['passkeyOrigin']
  readonly done: () => Promise<void>
}

export function FactorStep({ factors, passkeyOrigin, done }: Props) {
  const signIn = useWords(signInWords)
  if (factors.length === 0) return <PasswordAgain done={done} />
  const isElsewhere =
    factors.includes('passkey') && passkeyOrigin !== null && !passkeysWorkHere(passkeyOrigin)
  return (
    <Stack gap="md">
      {factors.includes('passkey') && passkeysWorkHere(passkeyOrigin) && <PasskeyButton done={done} />}
      <CodeForm done={done} />
      {isElsewhere && (
        <Text size="sm" c="dimmed">
          {signIn.passkeyElsewhere} <Anchor href={`${passkeyOrigin}/backoffice`}>{passkeyOrigin}</Anchor>
        </Text>
      )}
    </Stack>
  )
}

function PasskeyButton({ done }: Pick<Props, 'done'>) {
  const signIn = useWords(signInWords)
  const problemText = useProblemText()
  const [problem, setProblem] = useState<string>()
  const use = async () => {
    setProblem(undefined)
    try {
      await send('POST /session/factor', { body: { passkey: await askForPasskey() } })
      await done()
    } catch (error) {
      if (error instanceof NoPasskey) setProblem(signIn.passkeyFailed)
      else if (error instanceof Refusal) setProblem(problemText(error))
      else throw error
    }
  }
  return (
    <>
      <Button fullWidth leftSection={<Icon name="key" />} onClick={() => void use()}>
        {signIn.usePasskey}
      </Button>
      {problem !== undefined && (
        <Text role="alert" size="sm" c="var(--error)">
          {problem}
        </Text>
      )}
    </>
  )
}

function CodeForm({ done }: Pick<Props, 'done'>) {
  const signIn = useWords(signInWords)
  const [left, setLeft] = useState<number>()
  const form = useForm({ code: '' }, async ({ code }) => {
    const { recoveryCodesLeft } = await send('POST /session/factor', { body: { code: code.trim() } })
    if (recoveryCodesLeft === undefined) await done()
    else setLeft(recoveryCodesLeft)
  })
  if (left !== undefined)
    return (
      <Stack gap="md">
        <Alert color="yellow" role="status">
          {signIn.codesLeft(left)}
        </Alert>
        <Button fullWidth autoFocus onClick={() => void done()}>
          {signIn.goOn}
        </Button>
      </Stack>
    )
  return (
    <FormFrame form={form} action={signIn.confirmCode} fullWidth>
      <TextInput
        label={signIn.code}
        description={`${signIn.codeHint} ${signIn.recoveryHint}`}
        autoComplete="one-time-code"
        maxLength={40}
        autoFocus
        data-autofocus
        {...form.field('code')}
      />
    </FormFrame>
  )
}

function PasswordAgain({ done }: Pick<Props, 'done'>) {
  const signIn = useWords(signInWords)
  const form = useForm({ password: '' }, async (body) => {
    await send('POST /session/factor', { body })
    await done()
  })
  return (
    <FormFrame form={form} action={signIn.confirmCode} fullWidth>
      <PasswordInput
        label={signIn.password}
        description={signIn.confirmPassword}
        autoComplete="current-password"
        data-autofocus
        {...form.field('password')}
      />
    </FormFrame>
  )
}
