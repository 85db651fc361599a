import type { RowOf } from '../../api/use-call.ts'

type Statement = RowOf<'GET /reconciliation/statements'>

/** The days of a statement. Undefined if its file has no lines. */
export function daysOf({ from, to }: Pick<Statement, 'from' | 'to'>): string | undefined {
  if (from === null) return undefined
  return from === to ? from : `${from} – ${to}`
}
