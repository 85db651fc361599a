// One rule that the books must keep, as a query for the rows that break it.

export type Check = {
  readonly name: string
  /** The rule as a sentence, for whoever reads a finding. */
  readonly rule: string
  /**
   * Selects the rows that break the rule: mer_no, subject (an order, an account, …), found, expected. `$1` and `$2` are
   * the first and the last merchant number to look at; a check of the platform's own rows ignores them.
   */
  readonly text: string
  /** Looks at all merchants at once, and so runs once. */
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

/** In the range of merchants that a check is asked about. */
export const inRange = (column = 'mer_no') => `${column} between $1 and $2`
