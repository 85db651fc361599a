import type { Reply } from '../../api/send.ts'
import { StateLabel } from '../../parts/state-label.tsx'
import { booksWords } from '../../words/books.ts'
import { useWords } from '../../words/use-words.tsx'

export type Run = Reply<'GET /books/verify'>['runs'][number]

export function VerifyResult({ run: { state, progress, result } }: { readonly run: Run }) {
  const books = useWords(booksWords)
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  const count = (value: unknown) => (Array.isArray(value) ? value.length : 0)
  if (state === 'running')
    return (
      <StateLabel tone="waiting">{books.running(number(progress.done), number(progress.total))}</StateLabel>
    )
  if (state === 'failed') return <StateLabel tone="error">{String(result?.error ?? books.failed)}</StateLabel>
  if (result?.isSound === true)
    return <StateLabel tone="done">{books.sound(number(result.orders), number(result.entries))}</StateLabel>
  return (
    <StateLabel tone="error">
      {books.unsound(count(result?.differences) + count(result?.findings))}
    </StateLabel>
  )
}
