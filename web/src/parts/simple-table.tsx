// A short table of rows that are all there, in the looks of `DataTable`.
import type { ReactNode } from 'react'

type Props = {
  readonly label: string
  readonly heads: readonly ReactNode[]
  readonly children: ReactNode
}

export function SimpleTable({ label, heads, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-frame" aria-label={label} tabIndex={0}>
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            {heads.map((head, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not move
              <th key={at} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
