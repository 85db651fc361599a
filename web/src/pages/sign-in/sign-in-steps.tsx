// The steps of signing in: the password, then the second factor or its set-up.
import { Text, Title } from '@mantine/core'
import type { Session } from '../../shell/me.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'
import { EnrolStep } from './enrol-step.tsx'
import { FactorStep } from './factor-step.tsx'
import { PasswordStep } from './password-step.tsx'

type Props = {
  readonly session: Session
  /** The person's e-mail address. Set if the person signs in again after a lost session. */
  readonly email?: string
  /** Reads the session again after each step. */
  readonly goOn: () => Promise<void>
  /** The title. Missing if the surrounding frame already has a title. */
  readonly title?: string
}

export function SignInSteps({ session, email, goOn, title }: Props) {
  const signIn = useWords(signInWords)
  const { me, next, passkeyOrigin } = session
  if (me === undefined || next === undefined)
    return (
      <>
        {title !== undefined && <StepTitle>{title}</StepTitle>}
        <PasswordStep email={email} done={goOn} />
      </>
    )
  if (next === 'enrol')
    return (
      <>
        <StepTitle>{signIn.enrol}</StepTitle>
        <EnrolStep passkeyOrigin={passkeyOrigin} done={goOn} />
      </>
    )
  return (
    <>
      <StepTitle>{signIn.factor}</StepTitle>
      <Text c="dimmed">{me.email}</Text>
      <FactorStep factors={me.factors} passkeyOrigin={passkeyOrigin} done={goOn} />
    </>
  )
}

function StepTitle({ children }: { readonly children: string }) {
  return (
    <Title order={1} size="h3">
      {children}
    </Title>
  )
}
