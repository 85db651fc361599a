// What a line of a channel's statement means beside what we know of its reference alone. Pure rules. Payments that name an
// attempt of ours are judged by all that came for it: judge-listed.ts.
import type { Money } from '../base/money.ts'
import type { StatementLine } from './statement-line.ts'

/** How we know the reference. */
export type Ours = {
  readonly merNo: number
  readonly tradeNo: string
  /** Where it really went, whatever file names it. */
  readonly channel: string
  readonly money: Money
  readonly standing: 'done' | 'open' | 'failed'
}

export type LineKind = 'matched' | 'missing here' | 'open here' | 'differs' | 'twice'

/** `occurrence`: 1 when the file names the reference for the first time. */
export function judgeLine({ money }: StatementLine, ours: Ours | undefined, occurrence: number): LineKind {
  if (occurrence > 1) return 'twice'
  if (ours === undefined || ours.standing === 'failed') return 'missing here'
  // The resolver asks until it knows; then it is booked as what it is, and not before.
  if (ours.standing === 'open') return 'open here'
  return money.currency === ours.money.currency && money.amount === ours.money.amount ? 'matched' : 'differs'
}
