// A small table whose rows are not links.
import type { ReactNode } from 'react'
import { TableFrame } from './table-frame.tsx'

export function PlainTable({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <TableFrame label={label}>
      <table className="data-table" aria-label={label}>
        {children}
      </table>
    </TableFrame>
  )
}
