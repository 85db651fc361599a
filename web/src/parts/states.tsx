// The replacements for the data of a page: an empty state, an error, a missing permission, or grey lines while the data
// loads.
import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Refusal } from '../api/refusal.ts'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { useProblemText } from './problem-text.ts'

type Message = { readonly title: string; readonly hint?: string; readonly children?: ReactNode }

/** The state of a page without data. `children` shows what the person can do next. */
export function EmptyState({ title, hint, children }: Message) {
  return (
    <Stack className="state" align="center" gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {hint !== undefined && (
        <Text c="dimmed" ta="center">
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  )
}

export function NoPermission() {
  const parts = useWords(partsWords)
  return <EmptyState title={parts.noPermission} hint={parts.noPermissionHint} />
}

/** Shows an error, with a button that tries again. The button is left out if a new attempt would be refused again. */
export function ErrorState({ error, retry }: { readonly error: Refusal; readonly retry: () => void }) {
  const parts = useWords(partsWords)
  const problemText = useProblemText()
  if (error.code === 'not-allowed') return <NoPermission />
  return (
    <div role="alert">
      <EmptyState title={parts.notLoaded} hint={problemText(error)}>
        {error.code !== 'not-found' && (
          <Button variant="default" onClick={retry}>
            {parts.retry}
          </Button>
        )}
      </EmptyState>
    </div>
  )
}

export function LoadingLines({ lines = 4 }: { readonly lines?: number }) {
  const parts = useWords(partsWords)
  return (
    <Stack role="status" aria-label={parts.loading} gap="sm">
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity
        <Skeleton key={at} height={20} width={at === lines - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  )
}

type LoadedProps<Data> = {
  readonly query: Pick<UseQueryResult<Data, Refusal>, 'data' | 'error' | 'refetch'>
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}

/** Shows the data of a query. While the query runs again, the earlier data stays visible. */
export function Loaded<Data>({ query, lines = 4, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  return <LoadingLines lines={lines} />
}
