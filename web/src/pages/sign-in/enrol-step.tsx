// Sets up a person's first second factor: an authenticator app or a passkey. Then shows the recovery codes.
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { passkeysWorkHere } from '../../api/passkeys.ts'
import type { Session } from '../../shell/me.tsx'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'
import { EnrolApp } from '../account/enrol-app.tsx'
import { EnrolPasskey } from '../account/enrol-passkey.tsx'
import { RecoveryCodes } from '../account/recovery-codes.tsx'

type Props = { readonly passkeyOrigin: Session['passkeyOrigin']; readonly done: () => Promise<void> }

export function EnrolStep({ passkeyOrigin, done }: Props) {
  const signIn = useWords(signInWords)
  const [codes, setCodes] = useState<readonly string[]>()
  const [isByPasskey, setIsByPasskey] = useState(false)
  const enrolled = async (given: readonly string[] | undefined) => {
    if (given === undefined) await done()
    else setCodes(given)
  }
  if (codes !== undefined)
    return (
      <Stack>
        <RecoveryCodes codes={codes} />
        <Button fullWidth onClick={() => void done()}>
          {signIn.codesKept}
        </Button>
      </Stack>
    )
  return (
    <Stack>
      <Text c="dimmed">{signIn.enrolHint}</Text>
      {isByPasskey ? <EnrolPasskey enrolled={enrolled} /> : <EnrolApp enrolled={enrolled} />}
      {passkeysWorkHere(passkeyOrigin) && (
        <Button variant="subtle" onClick={() => setIsByPasskey(!isByPasskey)}>
          {isByPasskey ? signIn.appInstead : signIn.passkeyInstead}
        </Button>
      )}
    </Stack>
  )
}
