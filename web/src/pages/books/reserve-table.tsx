import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { Money } from '../../parts/money.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { booksWords } from '../../words/books.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly rows: Reply<'GET /reserves'>['rows']; readonly path: string }

/** Shows a row for each merchant and currency. */
export function ReserveTable({ rows, path }: Props) {
  const books = useWords(booksWords)
  return (
    <PlainTable label={books.reserves}>
      <thead>
        <tr>
          <th scope="col">{books.merchant}</th>
          <th scope="col">{books.name}</th>
          <th scope="col" className="at-end">
            {books.held}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ merNo, name, money }) => (
          <tr key={`${merNo} ${money.currency}`}>
            <td>
              <Anchor component={Link} href={`${path}/${merNo}`} size="sm">
                {merNo}
              </Anchor>
            </td>
            <td>{name}</td>
            <td className="at-end">
              <Money value={money} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}
