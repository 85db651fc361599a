// Compares a line of a channel's statement with our own movement of that reference. Pure rules. Payments with an attempt of
// ours are compared in compare-listed.ts, by all money that arrived for the attempt.
import type { Movement } from '../channels/movement.ts'
import type { StatementLine } from './statement-line.ts'

export type LineKind = 'matched' | 'missing here' | 'open here' | 'differs' | 'twice'

/** `occurrence`: 1 when the file names the reference for the first time. */
export function compareLine(
  { money }: StatementLine,
  ours: Movement | undefined,
  occurrence: number,
): LineKind {
  if (occurrence > 1) return 'twice'
  if (ours === undefined || ours.standing === 'failed') return 'missing here'
  // The resolver finds the outcome and books it then.
  if (ours.standing === 'open') return 'open here'
  return money.currency === ours.money.currency && money.amount === ours.money.amount ? 'matched' : 'differs'
}
