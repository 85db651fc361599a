import { Group } from '@mantine/core'
import { CopyButton } from '../../parts/copy-button.tsx'

const LONGEST = 20

/** An account or a transaction hash. If it is long, a short form is shown, and a button copies the full text. */
export function AccountText({ account }: { readonly account: string }) {
  if (account.length <= LONGEST) return account
  return (
    <Group component="span" gap={4} wrap="nowrap">
      <span title={account}>{shortened(account)}</span>
      <CopyButton text={account} />
    </Group>
  )
}

export function shortened(account: string): string {
  return account.length <= LONGEST ? account : `${account.slice(0, 8)}…${account.slice(-6)}`
}
