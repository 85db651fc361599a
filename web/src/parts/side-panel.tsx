// A panel with details next to a list. The panel has its own address. Closing it leads back to the list with its
// filters.
import { Drawer, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'

type Props = {
  readonly title: string
  readonly back: string
  readonly wide?: boolean
  readonly children: ReactNode
}

export function SidePanel({ title, back, wide = false, children }: Props) {
  const parts = useWords(partsWords)
  const [, goTo] = useLocation()
  const search = useSearch()
  return (
    <Drawer
      opened
      position="right"
      size={wide ? 760 : 520}
      title={title}
      overlayProps={{ backgroundOpacity: 0.2 }}
      onClose={() => goTo(search === '' ? back : `${back}?${search}`)}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      {children}
    </Drawer>
  )
}

/** The main buttons of a panel, which stay visible while the rest of the panel scrolls. */
export function ActionBar({ children }: { readonly children: ReactNode }) {
  return (
    <Group className="action-bar" gap="xs">
      {children}
    </Group>
  )
}
