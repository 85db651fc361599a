import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Moment } from '../../parts/moment.tsx'
import { accountWords } from '../../words/account.ts'
import { useWords } from '../../words/use-words.tsx'

type Passkey = Reply<'GET /account'>['passkeys'][number]

export function Passkeys({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const account = useWords(accountWords)
  const [leaving, setLeaving] = useState<Passkey>()
  const remove = useSend('DELETE /account/passkeys/:passkeyId')
  if (passkeys.length === 0) return <Text size="sm">{account.noPasskeys}</Text>
  return (
    <Stack gap="xs">
      {passkeys.map((passkey) => (
        <Group key={passkey.passkeyId} gap="sm">
          <span>{passkey.name}</span>
          <Text size="sm" c="dimmed">
            {account.passkeyUsed}: {passkey.usedAt === null ? account.never : <Moment at={passkey.usedAt} />}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={account.removePasskey(passkey.name)}
            onClick={() => setLeaving(passkey)}
          >
            <Icon name="trash" />
          </ActionIcon>
        </Group>
      ))}
      {leaving !== undefined && (
        <ConfirmDialog
          title={account.removePasskey(leaving.name)}
          action={account.remove}
          danger
          close={() => setLeaving(undefined)}
          run={() => remove({ params: { passkeyId: leaving.passkeyId } })}
        >
          {account.removePasskeyHint}
        </ConfirmDialog>
      )}
    </Stack>
  )
}
