import { ActionIcon, CopyButton as Copying, Tooltip } from '@mantine/core'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { Icon } from './icon.tsx'

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const parts = useWords(partsWords)
  return (
    <Copying value={text} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? parts.copied : (label ?? parts.copy)}>
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={copy}
            aria-label={copied ? parts.copied : (label ?? parts.copy)}
          >
            <Icon name={copied ? 'check' : 'copy'} />
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  )
}
