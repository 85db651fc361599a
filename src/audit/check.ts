// A check is a rule of the books, as a query for the rows that break it.
import { inKeyRange } from '../postgres/key-range.ts'

export type Check = {
  readonly name: string
  /** The rule as a sentence, shown with each finding. */
  readonly rule: string
  /** Selects the rows that break the rule: mer_no, subject (an order, an account, …), found, expected. */
  readonly text: string
  /** What the query reads. Unset: one slice, as `slice_orders`, `slice_entries` and by `inSlice`. */
  readonly over?: 'merchant sums' | 'platform sums'
}

export type Finding = {
  readonly check: string
  readonly merNo: number
  readonly subject: string
  readonly found: string
  readonly expected: string
}

/** Limits a query to the rows of a slice. */
export const inSlice = inKeyRange

/** Limits a query of sums to the merchants whose sums are complete. */
export const inRange = (column = 'mer_no') => `${column} between $1 and $2`
