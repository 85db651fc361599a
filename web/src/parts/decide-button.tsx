// A button for a decision that asks for its reason first.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  readonly label: string
  readonly title: string
  readonly hint?: string | undefined
  readonly danger?: boolean
  readonly size?: 'xs' | 'sm'
  /** What the server calls the reason. */
  readonly reasonName?: string
  readonly run: (reason: string) => Promise<unknown>
}

export function DecideButton(props: Props) {
  const { label, title, hint, danger = false, size = 'xs', reasonName = 'reason', run } = props
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size={size}
        variant="default"
        onClick={(event) => {
          // The row behind it must not open.
          event.stopPropagation()
          setIsOpen(true)
        }}
      >
        {label}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={title}
          action={label}
          danger={danger}
          needsReason
          reasonName={reasonName}
          close={() => setIsOpen(false)}
          run={run}
        >
          {hint !== undefined && <Text>{hint}</Text>}
        </ConfirmDialog>
      )}
    </>
  )
}
