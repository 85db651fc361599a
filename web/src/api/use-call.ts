// The hooks with which pages read and change data.
import {
  keepPreviousData,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from './call.ts'
import type { Refusal } from './refusal.ts'
import type { ChangeRoute, InputOf, ReadRoute, Reply } from './send.ts'

/** Reads data: `const orders = useCall('GET /orders', { query })`. */
export function useCall<Name extends ReadRoute>(
  name: Name,
  input: InputOf<Name>,
  options: { readonly enabled?: boolean; readonly refetchInterval?: number } = {},
): UseQueryResult<Reply<Name>, Refusal> {
  return useQuery<Reply<Name>, Refusal>({
    queryKey: [name, input],
    queryFn: () => call(name, input),
    placeholderData: keepPreviousData,
    ...options,
  })
}

/**
 * Changes data: `const send = useSend('POST /refunds')`, then `await send({ body })`. After a change, all pages load
 * their data again.
 */
export function useSend<Name extends ChangeRoute>(
  name: Name,
): (input: InputOf<Name>) => Promise<Reply<Name>> {
  const client = useQueryClient()
  const { mutateAsync } = useMutation<Reply<Name>, Refusal, InputOf<Name>>({
    mutationFn: (input) => call(name, input),
    onSuccess: () => client.invalidateQueries(),
    onError: ({ code }) => {
      // Somebody else may have changed the data, so the pages may show old data.
      if (code === 'conflict' || code === 'refused') void client.invalidateQueries()
    },
  })
  return mutateAsync
}

type Page = { readonly rows: readonly unknown[]; readonly next?: string }
type ListRoute = {
  [Name in ReadRoute]: Reply<Name> extends Page ? ('next' extends keyof Reply<Name> ? Name : never) : never
}[ReadRoute]
export type RowOf<Name extends ListRoute> = Reply<Name>['rows'][number]

export type List<Row> = {
  readonly rows: readonly Row[] | undefined
  readonly error: Refusal | null
  /** True while the rows still belong to the previous filters. */
  readonly isStale: boolean
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly moreError: Refusal | null
  more(): void
  retry(): void
}

/** Reads a list page by page: `const lines = useList('GET /audit', { query })`. */
export function useList<Name extends ListRoute>(name: Name, input: InputOf<Name>): List<RowOf<Name>> {
  const query = useInfiniteQuery<
    Reply<Name>,
    Refusal,
    readonly Reply<Name>[],
    readonly unknown[],
    string | undefined
  >({
    queryKey: [name, 'list', input],
    queryFn: ({ pageParam }) => call(name, withAfter(input, pageParam)),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages,
    placeholderData: keepPreviousData,
  })
  return {
    rows: query.data?.flatMap((page): readonly RowOf<Name>[] => page.rows),
    error: query.error,
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    moreError: query.isFetchNextPageError ? query.error : null,
    more: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  }
}

function withAfter<Input>(input: Input, after: string | undefined): Input {
  if (after === undefined) return input
  const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : {}
  return { ...input, query: { ...(query ?? {}), after } }
}
