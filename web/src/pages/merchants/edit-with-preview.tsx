// A form in a dialog: its first button shows what the change would do, its second one makes it. The server makes the change
// and undoes it, so the preview is exact.
import { Modal, Stack, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { FormFrame } from '../../parts/form-frame.tsx'
import { type Form, useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'
import { Changes, type Preview } from './changes.tsx'

/** What is typed, by field. */
export type Texts = Readonly<Record<string, string>>
export type Entered = Texts & { readonly reason: string }

type Props<Shown extends Preview> = {
  readonly title: string
  /** Without the reason. */
  readonly before: Texts
  readonly send: (entered: Entered, dryRun: boolean) => Promise<Shown>
  readonly close: () => void
  /** Instead of the changes alone. */
  readonly preview?: (shown: Shown) => ReactNode
  readonly children?: (form: Form<Entered>) => ReactNode
}

export function EditWithPreview<Shown extends Preview>(props: Props<Shown>) {
  const { title, before, send, close, children, preview = (one) => <Changes preview={one} /> } = props
  const { merchants, parts } = useWords()
  const client = useQueryClient()
  const [shown, setShown] = useState<Shown>()
  const initial: Entered = { ...before, reason: '' }
  const form = useForm(initial, async (entered) => {
    const isSure = shown !== undefined
    const result = await send(entered, !isSure)
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
            <Textarea
              label={parts.reason}
              description={parts.reasonHint}
              required
              maxLength={500}
              {...form.field('reason')}
            />
          </Stack>
        ) : (
          preview(shown)
        )}
      </FormFrame>
    </Modal>
  )
}

/** Only what was changed is sent: what is missing stays. */
export function changedIn(before: Texts, entered: Texts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(before).flatMap(([name, value]) => {
      const now = entered[name]
      return now === undefined || now === value ? [] : [[name, now]]
    }),
  )
}
