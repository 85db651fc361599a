// Adds or changes an item of a list. For the preview, the server makes the change and rolls it back, so the preview is
// exact.
import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { partsWords } from '../../words/parts.ts'
import { referenceWords } from '../../words/reference.ts'
import { useWords } from '../../words/use-words.tsx'
import { type Item, type ItemChange, ItemChanges } from './item-changes.tsx'

export type ItemEdit = {
  readonly list: string
  readonly hasBic: boolean
  /** The item. Undefined for a new item. */
  readonly item?: Item
}

type Props = {
  readonly of: ItemEdit
  readonly close: () => void
  readonly remove: (item: Item) => void
}

export function EditItem({ of: { list, hasBic, item }, close, remove }: Props) {
  const reference = useWords(referenceWords)
  const merchants = useWords(merchantsWords)
  const parts = useWords(partsWords)
  const add = useSend('POST /reference-items')
  const change = useSend('PUT /reference-items/:code')
  const [preview, setPreview] = useState<readonly ItemChange[]>()
  const isSure = preview !== undefined
  const initial = { code: item?.code ?? '', name: item?.name ?? '', bic: item?.bic ?? '', reason: '' }
  const form = useForm(initial, async ({ code, name, bic, reason }) => {
    const given = { list, name, reason, dryRun: !isSure, ...(hasBic && { bic }) }
    const { changes } =
      item === undefined
        ? await add({ body: { ...given, code } })
        : await change({ params: { code }, body: { ...given, version: item.version } })
    if (isSure) close()
    else setPreview(changes)
  })
  const title = item === undefined ? reference.add : reference.editTitle(item.name)
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame
        form={form}
        action={isSure ? merchants.save : merchants.preview}
        cancel={isSure ? () => setPreview(undefined) : close}
        reload={close}
      >
        {isSure ? (
          <ItemChanges of={preview} />
        ) : (
          <Stack gap="md">
            {item === undefined && (
              <TextInput
                label={reference.code}
                description={reference.codeHints[list]}
                required
                maxLength={8}
                data-autofocus
                {...form.field('code')}
              />
            )}
            <TextInput label={reference.name} required maxLength={100} {...form.field('name')} />
            {hasBic && (
              <TextInput
                label={reference.bic}
                description={reference.bicHint}
                maxLength={11}
                {...form.field('bic')}
              />
            )}
            <ReasonField {...form.field('reason')} />
            {item !== undefined && (
              <Button variant="subtle" color="red" onClick={() => remove(item)}>
                {reference.removeThis}
              </Button>
            )}
          </Stack>
        )}
      </FormFrame>
    </Modal>
  )
}
