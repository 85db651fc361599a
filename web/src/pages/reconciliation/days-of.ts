import type { RowOf } from '../../api/use-call.ts'
import { formatDays } from '../../parts/moment.tsx'

type Statement = RowOf<'GET /reconciliation/statements'>

/** Returns the days of a statement. Undefined if its file has no lines. */
export function daysOf({ from, to }: Pick<Statement, 'from' | 'to'>, locale: string): string | undefined {
  return from === null ? undefined : formatDays(from, to ?? undefined, locale)
}
