// A dialog with a form. The first button shows a preview of the change, and the second button makes the change. For the
// preview, the server makes the change and rolls it back, so the preview is exact. The dialog keeps the values and the
// version with which it was opened, even if newer values are loaded. If somebody else saves first, the server refuses
// the change.
import { Modal, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { type Form, useForm } from '../../parts/use-form.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { Changes, type Preview } from './changes.tsx'

export type Texts = Readonly<Record<string, string>>
export type Entered = Texts & { readonly reason: string }

type Editing = { readonly version?: string; readonly reason: string; readonly dryRun: boolean }

type Props<Shown extends Preview> = {
  readonly title: string
  /** The values before the change, without the reason. */
  readonly before: Texts
  /** The version of the edited record. Undefined for a new record. */
  readonly version: string | undefined
  readonly send: (entered: Entered, editing: Editing, before: Texts) => Promise<Shown>
  readonly close: () => void
  /** Shows the preview. If missing, the preview is a plain list of changes. */
  readonly preview?: (shown: Shown) => ReactNode
  readonly children?: (form: Form<Entered>) => ReactNode
}

export function EditWithPreview<Shown extends Preview>(props: Props<Shown>) {
  const { title, send, close, children, preview = (one) => <Changes preview={one} /> } = props
  const merchants = useWords(merchantsWords)
  const parts = useWords(partsWords)
  const client = useQueryClient()
  const [shown, setShown] = useState<Shown>()
  const [{ before, version }] = useState(props)
  const initial: Entered = { ...before, reason: '' }
  const form = useForm(initial, async (entered) => {
    const isSure = shown !== undefined
    const editing = { reason: entered.reason, dryRun: !isSure, ...(version !== undefined && { version }) }
    const result = await send(entered, editing, before).catch((error: unknown) => {
      // A refusal is about the typed values, so the form is shown again.
      setShown(undefined)
      throw error
    })
    if (isSure) close()
    else setShown(result)
  })
  const reload = () => {
    void client.invalidateQueries()
    close()
  }
  return (
    <Modal opened onClose={close} size="lg" title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame
        form={form}
        action={shown === undefined ? merchants.preview : merchants.save}
        cancel={shown === undefined ? close : () => setShown(undefined)}
        reload={reload}
      >
        {shown === undefined ? (
          <Stack gap="md">
            {children?.(form)}
            <ReasonField {...form.field('reason')} />
          </Stack>
        ) : (
          preview(shown)
        )}
      </FormFrame>
    </Modal>
  )
}

/** Returns only the changed fields. The server does not change fields that are missing. */
export function changedIn(before: Texts, entered: Texts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(before).flatMap(([name, value]) => {
      const now = entered[name]
      return now === undefined || now === value ? [] : [[name, now]]
    }),
  )
}
