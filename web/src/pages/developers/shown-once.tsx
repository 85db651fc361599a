import { Button, Modal, Stack, Text } from '@mantine/core'
import { CodeView } from '../../parts/code-view.tsx'
import { developersWords } from '../../words/developers.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = {
  readonly title: string
  readonly secret: string | Readonly<Record<string, unknown>>
  readonly close: () => void
}

/**
 * A dialog that shows a secret once. Only its button closes it, so that a click next to the dialog cannot lose the
 * secret.
 */
export function ShownOnce({ title, secret, close }: Props) {
  const developers = useWords(developersWords)
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Text>{developers.shownOnce}</Text>
        <CodeView label={title} value={secret} />
        <Button onClick={close}>{developers.done}</Button>
      </Stack>
    </Modal>
  )
}
