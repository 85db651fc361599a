// The search, which `/` opens on every page: one field, and results in groups. The arrow keys move through the results.
import { Kbd, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { partsWords } from '../words/parts.ts'
import { shellWords } from '../words/shell.ts'
import { useWords } from '../words/use-words.tsx'
import { SearchResults } from './search-results.tsx'
import { useFound } from './use-found.ts'

type Props = { readonly isOpen: boolean; readonly open: () => void; readonly close: () => void }

export function Search({ isOpen, open, close }: Props) {
  const shell = useWords(shellWords)
  const parts = useWords(partsWords)
  return (
    <>
      <UnstyledButton className="search-open" onClick={open} aria-label={shell.search}>
        <Icon name="search" size={16} />
        <span>{shell.search}</span>
        <Kbd aria-hidden="true">/</Kbd>
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={close}
        title={shell.search}
        size="lg"
        closeButtonProps={{ 'aria-label': parts.close }}
      >
        <SearchField close={close} />
      </Modal>
    </>
  )
}

function SearchField({ close }: { readonly close: () => void }) {
  const shell = useWords(shellWords)
  const [, goTo] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const groups = useFound(text)
  const all = groups.flatMap(({ found }) => found)
  const chosen = Math.min(at, Math.max(0, all.length - 1))
  const open = (path: string) => {
    close()
    goTo(path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const result = all[chosen]
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, all.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter' && result !== undefined) open(result.path)
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        role="combobox"
        aria-expanded="true"
        aria-controls="search-results"
        aria-activedescendant={all[chosen] === undefined ? undefined : `search-${chosen}`}
        aria-label={shell.search}
        placeholder={shell.searchHint}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      <SearchResults groups={groups} chosen={chosen} open={open} />
    </>
  )
}
