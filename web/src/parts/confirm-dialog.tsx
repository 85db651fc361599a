// The dialog that asks before a final action, with a reason for the audit log where one is needed.
import { Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { FormFrame } from './form-frame.tsx'
import { ReasonField } from './reason-field.tsx'
import { useForm } from './use-form.ts'

type Props = {
  readonly title: string
  readonly action: string
  readonly danger?: boolean
  readonly needsReason?: boolean
  readonly reasonName?: string
  readonly close: () => void
  /** The dialog closes after a success, and shows the reason of a refusal. */
  readonly run: (reason: string) => Promise<unknown>
  readonly children?: ReactNode
}

/** Callers mount the dialog only while it is open. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    action,
    danger = false,
    needsReason = false,
    reasonName = 'reason',
    close,
    run,
    children,
  } = props
  const parts = useWords(partsWords)
  const empty: Readonly<Record<string, string>> = { [reasonName]: '' }
  const form = useForm(empty, async ({ [reasonName]: reason = '' }) => {
    await run(reason)
    close()
  })
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={action} danger={danger} cancel={close}>
        <Stack gap="md">
          {children}
          {needsReason && <ReasonField data-autofocus {...form.field(reasonName)} />}
        </Stack>
      </FormFrame>
    </Modal>
  )
}
