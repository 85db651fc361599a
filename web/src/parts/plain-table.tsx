// A table that is read as a whole. Where it is wider than the screen it scrolls, also by keyboard.
import type { ReactNode } from 'react'

export function PlainTable({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-frame" aria-label={label} tabIndex={0}>
      <table className="data-table" aria-label={label}>
        {children}
      </table>
    </section>
  )
}
