// Defines a check: a rule of the books, with a query that selects the rows that break the rule.
import { inKeyRange } from '../../platform/postgres/key-range.ts'

export type Check = {
  readonly name: string
  /** The rule as a sentence, shown with each finding. */
  readonly rule: string
  /** The query for rows that break the rule. Its columns are mer_no, subject (such as an order), found and expected. */
  readonly text: string
  /**
   * The data that the query reads: sums of some merchants' orders, sums of all orders, or tables of the whole platform.
   * If unset, the query reads one slice, by `slice_orders`, `slice_entries` or `inSlice`.
   */
  readonly over?: 'merchant sums' | 'platform sums' | 'platform'
}

export type Finding = {
  readonly check: string
  readonly merNo: number
  readonly subject: string
  readonly found: string
  readonly expected: string
}

/** Returns the condition that limits a query to the rows of a slice. */
export const inSlice = inKeyRange

/** The tolerance for times that two nodes wrote: the clock of each node may be wrong by up to an hour. */
export const CLOCK_TOLERANCE = "interval '3 hours'"

/** Returns the condition that two times are equal within the tolerance, for rows that were written together. */
export const isNear = (one: string, other: string) =>
  `${one} between ${other} - ${CLOCK_TOLERANCE} and ${other} + ${CLOCK_TOLERANCE}`

/** Returns the condition that limits a query on sums to the merchants whose sums are complete: $1 to $2. */
export const inRange = (column = 'mer_no') => `${column} between $1 and $2`

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns the SQL for the merchant number in an id (platform/base/id.ts). */
export function ownerIn(id: string): string {
  const digits = Array.from(
    { length: 7 },
    (_, at) => `(strpos('${DIGITS}', substr(${id}, ${11 + at}, 1)) - 1) * ${32 ** (6 - at)}`,
  )
  return `(${digits.join(' + ')})`
}
