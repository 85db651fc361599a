// The dialog that opens if a call needs a session or a recent second factor again. The page below keeps its state.
import { Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Refusal } from '../api/refusal.ts'
import { send } from '../api/send.ts'
import { decline, satisfy, useNeed } from '../api/session-gate.ts'
import { FactorStep } from '../pages/sign-in/factor-step.tsx'
import { SignInSteps } from '../pages/sign-in/sign-in-steps.tsx'
import { Loaded } from '../parts/states.tsx'
import { partsWords } from '../words/parts.ts'
import { signInWords } from '../words/sign-in.ts'
import { useWords } from '../words/use-words.tsx'
import { type Session, useSession } from './me.tsx'

export function Gate() {
  const need = useNeed()
  if (need === undefined) return null
  return need === 'sign-in' ? <LostSession /> : <FreshFactor />
}

function LostSession() {
  const signIn = useWords(signInWords)
  const { me } = useSession()
  // The dialog reads its own copy of the session, because the session of the page must not change while the dialog is
  // open.
  const session = useQuery<Session, Refusal>({
    queryKey: ['sign-in again'],
    queryFn: () => send('GET /session', {}),
    gcTime: 0,
  })
  const goOn = async () => {
    const { data } = await session.refetch()
    if (data?.me === undefined || data.next !== 'done') return
    // Another person must not continue in the pages of the previous person, so the app is loaded again.
    if (data.me.userId === me.userId) satisfy()
    else location.reload()
  }
  return (
    <Modal
      opened
      centered
      title={signIn.again}
      onClose={decline}
      withCloseButton={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text c="dimmed">{signIn.againHint}</Text>
        <Loaded query={session}>{(now) => <SignInSteps session={now} email={me.email} goOn={goOn} />}</Loaded>
      </Stack>
    </Modal>
  )
}

function FreshFactor() {
  const signIn = useWords(signInWords)
  const parts = useWords(partsWords)
  const { me, passkeyOrigin } = useSession()
  return (
    <Modal
      opened
      centered
      title={signIn.confirm}
      onClose={decline}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <FactorStep factors={me.factors} passkeyOrigin={passkeyOrigin} done={async () => satisfy()} />
    </Modal>
  )
}
