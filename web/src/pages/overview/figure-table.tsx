// A small table of figures. The first column names the row, and all other columns are numbers.
import type { ReactNode } from 'react'
import { TableFrame } from '../../parts/table-frame.tsx'

type Props = {
  readonly label: string
  readonly heads: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}

export function FigureTable({ label, heads, rows }: Props) {
  return (
    <TableFrame label={label}>
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" {...(at > 0 && { className: 'at-end' })}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...rest] }) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {rest.map((cell, at) => (
                <td key={heads[at + 1]} className="at-end">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
