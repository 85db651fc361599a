// Dialogs about one thing belong to the page, not to the row or the panel that their button stands in: these vanish when
// somebody else decides first, and would take what was typed with them. A dialog keeps the thing that it was opened with;
// when its button is gone, the form in it says so.
import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react'
import { useLocation } from 'wouter'

type Shown = (close: () => void) => ReactNode
type Opened = {
  /** Of the button. */
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

/** What can no longer be decided; the subject is its name in the audit log. */
export type Over = { readonly subject: string | undefined }

const HostContext = createContext<Host | undefined>(undefined)
const OverContext = createContext<Over | undefined>(undefined)

/** Around a form. Undefined: it can still be sent. */
export const OverProvider = OverContext.Provider

export function useOver(): Over | undefined {
  return useContext(OverContext)
}

export function DialogHost({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation()
  const [opened, setOpened] = useState<Opened>()
  // Whoever goes elsewhere leaves the dialog behind.
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

/** Opens a dialog of the page; `subject` is what it is about, by its name in the audit log. */
export function useDialog(subject?: string): (show: Shown) => void {
  const host = useContext(HostContext)
  if (host === undefined) throw new Error('used outside of a page')
  const id = useId()
  useEffect(() => () => host.buttonIsGone(id), [host, id])
  return (show) => host.open({ id, show, subject })
}
