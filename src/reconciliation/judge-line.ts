// What a line of a channel's statement means when it is compared with our own movement of that reference. Pure rules. Lines
// that name an attempt of ours are judged by all money that came for it: judge-listed.ts.
import type { Movement } from '../channels/movement.ts'
import type { StatementLine } from './statement-line.ts'

export type LineKind = 'matched' | 'missing here' | 'open here' | 'differs' | 'twice'

/** `occurrence`: 1 when the file names the reference for the first time. */
export function judgeLine(
  { money }: StatementLine,
  ours: Movement | undefined,
  occurrence: number,
): LineKind {
  if (occurrence > 1) return 'twice'
  if (ours === undefined || ours.standing === 'failed') return 'missing here'
  // The resolver asks until it knows; then it is booked as what it is, and not before.
  if (ours.standing === 'open') return 'open here'
  return money.currency === ours.money.currency && money.amount === ours.money.amount ? 'matched' : 'differs'
}
