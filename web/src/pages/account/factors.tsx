// The person's second factors: authenticator app, passkeys and recovery codes.
import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { passkeysWorkHere } from '../../api/passkeys.ts'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/section.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { useSession } from '../../shell/me.tsx'
import { accountWords } from '../../words/account.ts'
import { partsWords } from '../../words/parts.ts'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'
import { EnrolApp } from './enrol-app.tsx'
import { EnrolPasskey } from './enrol-passkey.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Account = Reply<'GET /account'>
type Dialog = 'app' | 'passkey' | 'remove-app' | 'renew'

export function Factors({ account: mine }: { readonly account: Account }) {
  const account = useWords(accountWords)
  const signIn = useWords(signInWords)
  const parts = useWords(partsWords)
  const { passkeyOrigin } = useSession()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<Dialog>()
  const [codes, setCodes] = useState<readonly string[]>()
  const removeApp = useSend('DELETE /account/totp')
  const renew = useSend('POST /account/recovery-codes')
  const close = () => setDialog(undefined)
  const enrolled = async (given: readonly string[] | undefined) => {
    close()
    setCodes(given)
    await client.invalidateQueries()
  }
  const hasFactor = mine.totp || mine.passkeys.length > 0
  return (
    <Section
      title={account.factors}
      hint={mine.factorRequired ? account.factorsRequired : account.factorsHint}
    >
      <Facts
        of={[
          [
            account.app,
            <Group key="app" gap="md">
              <StateLabel tone={mine.totp ? 'done' : 'neutral'}>
                {mine.totp ? account.on : account.off}
              </StateLabel>
              <Button size="xs" variant="default" onClick={() => setDialog(mine.totp ? 'remove-app' : 'app')}>
                {mine.totp ? account.remove : account.setUp}
              </Button>
            </Group>,
          ],
          [account.passkeys, <Passkeys key="passkeys" passkeys={mine.passkeys} />],
          [
            account.recovery,
            hasFactor && (
              <Group key="codes" gap="md">
                {account.recoveryLeft(mine.recoveryCodesLeft)}
                <Button size="xs" variant="default" onClick={() => setDialog('renew')}>
                  {account.renewCodes}
                </Button>
              </Group>
            ),
          ],
        ]}
      />
      {passkeysWorkHere(passkeyOrigin) ? (
        <Button variant="default" className="at-start" onClick={() => setDialog('passkey')}>
          {account.addPasskey}
        </Button>
      ) : (
        passkeyOrigin !== null && (
          <Text size="sm" c="dimmed">
            {signIn.passkeyElsewhere} <Anchor href={`${passkeyOrigin}/backoffice`}>{passkeyOrigin}</Anchor>
          </Text>
        )
      )}
      <Modal
        opened={dialog === 'app' || dialog === 'passkey'}
        onClose={close}
        title={dialog === 'passkey' ? account.addPasskey : account.app}
        closeButtonProps={{ 'aria-label': parts.close }}
      >
        {dialog === 'app' && <EnrolApp enrolled={enrolled} />}
        {dialog === 'passkey' && <EnrolPasskey enrolled={enrolled} />}
      </Modal>
      {dialog === 'remove-app' && (
        <ConfirmDialog
          title={account.removeApp}
          action={account.remove}
          danger
          close={close}
          run={() => removeApp({})}
        >
          {account.removeAppHint}
        </ConfirmDialog>
      )}
      {dialog === 'renew' && (
        <ConfirmDialog
          title={account.renewCodes}
          action={account.renewCodes}
          close={close}
          run={async () => setCodes((await renew({})).recoveryCodes)}
        >
          {account.renewCodesHint}
        </ConfirmDialog>
      )}
      <Modal
        opened={codes !== undefined}
        onClose={() => setCodes(undefined)}
        title={account.recovery}
        closeButtonProps={{ 'aria-label': parts.close }}
      >
        <Stack>
          {codes !== undefined && <RecoveryCodes codes={codes} />}
          <Button onClick={() => setCodes(undefined)}>{signIn.codesKept}</Button>
        </Stack>
      </Modal>
    </Section>
  )
}
