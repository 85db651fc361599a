// A form with its problem and its buttons. The fields are Mantine inputs: `<TextInput {...form.field('name')} />`.
import { Alert, Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { DecidedNote } from './decided-note.tsx'
import { useOver } from './page-dialog.tsx'
import { useProblemText } from './problem-text.ts'
import type { Form } from './use-form.ts'

type Props<V extends Readonly<Record<string, unknown>>> = {
  readonly form: Form<V>
  /** The text of the button, such as "Refund €12.00". */
  readonly action: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly fullWidth?: boolean
  /** Loads the version that somebody else has saved in the meantime. */
  readonly reload?: () => void
  readonly cancel?: () => void
  readonly children: ReactNode
}

export function FormFrame<V extends Readonly<Record<string, unknown>>>(props: Props<V>) {
  const {
    form,
    action,
    danger = false,
    disabled = false,
    fullWidth = false,
    reload,
    cancel,
    children,
  } = props
  const parts = useWords(partsWords)
  const over = useOver()
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <FormProblem form={form} reload={reload} />
        {/* While the form is being sent, the decision may be this person's own. */}
        {over !== undefined && !form.isSending && <DecidedNote {...over} />}
        {children}
        <Group gap="sm" justify={fullWidth ? 'stretch' : 'flex-start'}>
          <Button
            type="submit"
            loading={form.isSending}
            disabled={disabled}
            fullWidth={fullWidth}
            {...(danger && { color: 'red' })}
          >
            {action}
          </Button>
          {cancel !== undefined && (
            <Button variant="default" onClick={cancel}>
              {parts.cancel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function FormProblem<V extends Readonly<Record<string, unknown>>>({
  form: { refusal },
  reload,
}: {
  readonly form: Form<V>
  readonly reload: (() => void) | undefined
}) {
  const parts = useWords(partsWords)
  const problemText = useProblemText()
  if (refusal === undefined) return null
  if (refusal.code === 'conflict' && reload !== undefined)
    return (
      <Alert color="yellow" role="alert" title={parts.changed}>
        <Stack gap="xs" align="flex-start">
          {parts.changedHint}
          <Button variant="default" size="xs" onClick={reload}>
            {parts.loadCurrent}
          </Button>
        </Stack>
      </Alert>
    )
  return (
    <Alert color="red" role="alert">
      {problemText(refusal)}
    </Alert>
  )
}
