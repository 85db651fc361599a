import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Refusal } from '../../api/refusal.ts'
import type { Reply } from '../../api/send.ts'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { Loaded } from '../../parts/states.tsx'
import { booksWords } from '../../words/books.ts'
import { useWords } from '../../words/use-words.tsx'

type Runs = Reply<'GET /books/verify'>

type Props = {
  readonly query: UseQueryResult<Runs, Refusal>
  readonly result: (run: Runs['runs'][number]) => ReactNode
  readonly empty: ReactNode
}

export function RunTable({ query, result, empty }: Props) {
  const books = useWords(booksWords)
  return (
    <Loaded query={query}>
      {({ runs }) =>
        runs.length === 0 ? (
          empty
        ) : (
          <PlainTable label={books.runs}>
            <thead>
              <tr>
                <th scope="col">{books.at}</th>
                <th scope="col">{books.startedBy}</th>
                <th scope="col">{books.result}</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.runId}>
                  <td>
                    <Moment at={run.startedAt} show="seconds" />
                  </td>
                  <td>{run.startedBy}</td>
                  <td>{result(run)}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        )
      }
    </Loaded>
  )
}
