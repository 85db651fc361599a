// The button for a decision, which first asks for the reason.
import { Button, Text } from '@mantine/core'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useDialog } from './page-dialog.tsx'

type Props = {
  readonly label: string
  readonly title: string
  readonly hint?: string | undefined
  readonly danger?: boolean
  readonly size?: 'xs' | 'sm'
  readonly variant?: 'default' | 'filled'
  readonly disabled?: boolean
  readonly reasonName?: string
  /** The item's name in the audit log. */
  readonly subject?: string
  readonly run: (reason: string) => Promise<unknown>
}

export function DecideButton(props: Props) {
  const { label, title, hint, danger = false, size = 'xs', reasonName = 'reason', subject, run } = props
  const { variant = 'default', disabled = false } = props
  const open = useDialog(subject)
  return (
    <Button
      size={size}
      variant={variant}
      disabled={disabled}
      onClick={(event) => {
        // A click on the button must not open the row that contains the button.
        event.stopPropagation()
        open((close) => (
          <ConfirmDialog
            title={title}
            action={label}
            danger={danger}
            needsReason
            reasonName={reasonName}
            close={close}
            run={run}
          >
            {hint !== undefined && <Text>{hint}</Text>}
          </ConfirmDialog>
        ))
      }}
    >
      {label}
    </Button>
  )
}
