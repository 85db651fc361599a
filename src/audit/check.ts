// A check is a rule of the books, as a query for the rows that break it.

export type Check = {
  readonly name: string
  /** The rule as a sentence, shown with each finding. */
  readonly rule: string
  /**
   * Selects the rows that break the rule: mer_no, subject (an order, an account, …), found, expected. `$1` and `$2` are
   * the first and last merchant number to check; a global check ignores them.
   */
  readonly text: string
  /** Checks all merchants at once, so it runs once. */
  readonly isGlobal?: true
  /** Parameters from `$3` on. */
  readonly values?: readonly unknown[]
}

export type Finding = {
  readonly check: string
  readonly merNo: number
  readonly subject: string
  readonly found: string
  readonly expected: string
}

/** Limits a query to the range of merchants to check. */
export const inRange = (column = 'mer_no') => `${column} between $1 and $2`
