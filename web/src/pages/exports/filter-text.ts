import type { Reply } from '../../api/send.ts'

type Filter = Reply<'GET /exports'>['rows'][number]['filter']

/** The filters as they stand in the address of the list. */
export function filterText({ merNo: _, ...fields }: Filter): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}
