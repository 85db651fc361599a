// One chip of a filter bar: a button that opens the filter's form, and a button that removes the filter's value.
import { Popover, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { Icon } from './icon.tsx'

type Props = {
  readonly label: string
  readonly value: string | undefined
  /**
   * The text of the chip while the filter is not set, such as "All merchants". If missing, the chip shows its label.
   */
  readonly unset?: string
  readonly remove: () => void
  readonly children: (close: () => void) => ReactNode
}

export function FilterChip({ label, value, unset, remove, children }: Props) {
  const parts = useWords(partsWords)
  const [isOpen, setIsOpen] = useState(false)
  const shown = value ?? unset
  return (
    <span
      className="chip"
      data-set={value !== undefined}
      data-named={value !== undefined && unset !== undefined}
    >
      <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" trapFocus returnFocus shadow="md">
        <Popover.Target>
          <UnstyledButton className="chip-main" onClick={() => setIsOpen(!isOpen)}>
            {shown === undefined && <Icon name="plus" size={14} />}
            {shown === undefined ? label : parts.filterOf(label, shown)}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>{isOpen && children(() => setIsOpen(false))}</Popover.Dropdown>
      </Popover>
      {value !== undefined && (
        <UnstyledButton className="chip-remove" aria-label={parts.removeFilter(label)} onClick={remove}>
          <Icon name="close" size={12} />
        </UnstyledButton>
      )}
    </span>
  )
}
