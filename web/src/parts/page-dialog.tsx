// Dialogs about one item are children of the page, not of the row or panel with their button. If somebody else decides
// first, the row or panel vanishes. A dialog inside it would then lose the typed text. A dialog keeps the item with
// which it was opened. When its button has vanished, the form in the dialog says that the item is already decided.
import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react'
import { useLocation } from 'wouter'

type Shown = (close: () => void) => ReactNode
type Opened = {
  readonly id: string
  readonly path: string
  readonly show: Shown
  readonly subject: string | undefined
  readonly isOver: boolean
}

type Host = {
  open(opened: Pick<Opened, 'id' | 'show' | 'subject'>): void
  buttonIsGone(id: string): void
}

/** An item that is already decided. `subject` is its name in the audit log. */
export type Over = { readonly subject: string | undefined }

const HostContext = createContext<Host | undefined>(undefined)
const OverContext = createContext<Over | undefined>(undefined)

/** Provides the decided item. The value is undefined while the item can still be decided. */
export const OverProvider = OverContext.Provider

export function useOver(): Over | undefined {
  return useContext(OverContext)
}

export function DialogHost({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation()
  const [opened, setOpened] = useState<Opened>()
  // When the person goes to another page, the dialog closes.
  if (opened !== undefined && opened.path !== path) setOpened(undefined)
  const host = useMemo<Host>(
    () => ({
      open: (asked) => setOpened({ ...asked, path, isOver: false }),
      buttonIsGone: (id) => setOpened((before) => (before?.id === id ? { ...before, isOver: true } : before)),
    }),
    [path],
  )
  return (
    <HostContext value={host}>
      {children}
      {opened !== undefined && (
        <OverProvider value={opened.isOver ? opened : undefined}>
          {opened.show(() => setOpened(undefined))}
        </OverProvider>
      )}
    </HostContext>
  )
}

/** Returns a function that opens a dialog. `subject` is the item's name in the audit log. */
export function useDialog(subject?: string): (show: Shown) => void {
  const host = useContext(HostContext)
  if (host === undefined) throw new Error('used outside of a page')
  const id = useId()
  useEffect(() => () => host.buttonIsGone(id), [host, id])
  return (show) => host.open({ id, show, subject })
}
