// The dialog over a page whose call needs a session again, or a fresh second factor. The page below keeps its state.
import { Modal, Stack, Text } from '@mantine/core'
import { send } from '../api/send.ts'
import { decline, satisfy, useNeed } from '../api/session-gate.ts'
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx'
import { useWords } from '../words/use-words.tsx'
import { useMe } from './me.tsx'

export function Gate() {
  const { signIn, parts } = useWords()
  const need = useNeed()
  const me = useMe()
  const done = async () => {
    const { me: now } = await send('GET /session', {})
    // Somebody else must not go on in the pages of the person before.
    if (now?.userId !== me.userId) location.reload()
    else satisfy()
  }
  if (need === undefined) return null
  const isLost = need === 'sign-in'
  return (
    <Modal
      opened
      centered
      title={isLost ? signIn.again : signIn.confirm}
      onClose={decline}
      withCloseButton={!isLost}
      closeOnEscape={!isLost}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <Stack>
        {isLost && <Text c="dimmed">{signIn.againHint}</Text>}
        <SignInForm email={me.email} done={() => void done()} />
      </Stack>
    </Modal>
  )
}
