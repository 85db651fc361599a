// The last check of the books that an operator started.
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/use-words.tsx'
import { VerifyResult } from '../books/verify-result.tsx'

export function LastVerify({ of }: { readonly of: Reply<'GET /operations'>['verify'] }) {
  const { books, operations } = useWords()
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
