import { Text } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { referenceWords } from '../../words/reference.ts'
import { useWords } from '../../words/use-words.tsx'
import type { Item } from './item-changes.tsx'

type Props = { readonly list: string; readonly item: Item; readonly close: () => void }

export function RemoveItem({ list, item: { code, name, version }, close }: Props) {
  const reference = useWords(referenceWords)
  const send = useSend('POST /reference-items/:code/remove')
  return (
    <ConfirmDialog
      title={reference.removeTitle(name)}
      action={reference.remove}
      danger
      needsReason
      close={close}
      run={(reason) => send({ params: { code }, body: { list, version, reason } })}
    >
      <Text size="sm">{reference.removeEffect}</Text>
    </ConfirmDialog>
  )
}
