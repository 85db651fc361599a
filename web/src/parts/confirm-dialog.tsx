// The dialog that asks for confirmation before an action. If needed, it also asks for a reason for the audit log.
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
  /** Runs the action. After a success, the dialog closes. After a refusal, it shows the reason. */
  readonly run: (reason: string) => Promise<unknown>
  readonly children?: ReactNode
}

/** The confirm dialog. Callers mount it only while it is open. */
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
