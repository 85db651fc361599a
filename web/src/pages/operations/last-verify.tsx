// The last check of the books that an operator started.
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { Moment } from '../../parts/moment.tsx'
import { booksWords } from '../../words/books.ts'
import { operationsWords } from '../../words/operations.ts'
import { useWords } from '../../words/use-words.tsx'
import { VerifyResult } from '../books/verify-result.tsx'

export function LastVerify({ of }: { readonly of: Reply<'GET /operations'>['verify'] }) {
  const books = useWords(booksWords)
  const operations = useWords(operationsWords)
  return (
    <Text component="div">
      {of === null ? (
        <Text c="dimmed">{books.noRuns}</Text>
      ) : (
        <>
          <VerifyResult run={of} /> <Moment at={of.startedAt} />
        </>
      )}{' '}
      <Anchor component={Link} underline="always" href="/books/check">
        {operations.toVerify}
      </Anchor>
    </Text>
  )
}
