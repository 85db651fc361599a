// The list of all keyboard shortcuts, which `?` opens.
import { Kbd, Modal } from '@mantine/core'
import { Fragment } from 'react'
import { partsWords } from '../words/parts.ts'
import { shellWords } from '../words/shell.ts'
import { useWords } from '../words/use-words.tsx'
import { useMyEntries } from './navigation.tsx'

export function ShortcutHelp({ close }: { readonly close: () => void }) {
  const shell = useWords(shellWords)
  const parts = useWords(partsWords)
  const { shortcut } = shell
  const mine = useMyEntries()
  const lines: readonly (readonly [string, readonly string[]])[] = [
    [shortcut.search, ['/']],
    [shortcut.help, ['?']],
    [shortcut.move, ['↑', '↓', 'j', 'k']],
    [shortcut.open, ['Enter']],
    [shortcut.close, ['Esc']],
    ...mine.map(({ id, key }) => [shortcut.goTo(shell.entries[id]), ['g', key]] as const),
  ]
  return (
    <Modal opened onClose={close} title={shell.shortcuts} closeButtonProps={{ 'aria-label': parts.close }}>
      <dl className="shortcuts">
        {lines.map(([what, keys]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <Fragment key={key}>
                  <Kbd>{key}</Kbd>{' '}
                </Fragment>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  )
}
