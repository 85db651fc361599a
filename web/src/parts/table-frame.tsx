// A table that can scroll sideways on narrow screens, also with the keyboard.
import type { ReactNode } from 'react'

export function TableFrame({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-frame" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
